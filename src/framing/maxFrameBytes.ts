/** Bound on one frame where nobody sets another, in bytes: pictures travel inline. */
export const DEFAULT_MAX_FRAME_BYTES = 32 * 1024 * 1024;
