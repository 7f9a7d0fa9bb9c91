/**
 * A picture whose rectangles are written as pixels: without a graphics card, tens of thousands of them cost a canvas more than a
 * frame has.
 */
export class Pixels {
  width = 0;
  height = 0;
  #image: ImageData | undefined;
  #words = new Uint32Array(0);

  /** Gives it a size, and one colour. */
  clear(width: number, height: number, colour: number): void {
    if (width !== this.width || height !== this.height || this.#image === undefined) {
      this.width = width;
      this.height = height;
      this.#image = new ImageData(width, height);
      this.#words = new Uint32Array(this.#image.data.buffer);
    }
    this.#words.fill(colour);
  }

  /** Fills a rectangle, as far as it lies in the picture. All numbers are whole. */
  fill(x: number, y: number, width: number, height: number, colour: number): void {
    const left = Math.max(0, x);
    const right = Math.min(this.width, x + width);
    if (left >= right) return;
    const bottom = Math.min(this.height, y + height);
    for (let row = Math.max(0, y); row < bottom; row++)
      this.#words.fill(colour, row * this.width + left, row * this.width + right);
  }

  draw(context: CanvasRenderingContext2D): void {
    if (this.#image !== undefined) context.putImageData(this.#image, 0, 0);
  }
}
