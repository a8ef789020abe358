/** A tablet in portrait. */
export const VIEWPORT = { width: 820, height: 1180 }
