/** A few characters, fit for a file's name, that tell texts apart: short ones, few of them, which nobody chose to be alike. */
export const shortHash = (text: string): string => {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return (hash >>> 0).toString(36);
};
