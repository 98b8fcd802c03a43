/**
 * Characters that `new URL` drops, or that a terminal obeys without showing them. NUL is not here: it is refused in every
 * string of a body.
 */
export const HIDDEN = [" ", "\t", "\n", "\r", "\u001b", "\u007f", "\u0085", "\u00a0", "\u200b", "\u202e", "\u2028"];
