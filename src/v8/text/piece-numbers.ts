import { type PieceName, pieceNames } from './pieces.js';

/** The number of each piece. */
export const PIECE_NUMBER = Object.fromEntries(pieceNames().map((name, number) => [name, number])) as Record<PieceName, number>;
