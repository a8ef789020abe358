/** SPEC §9: from which width of the window, in px, a screen has how much room. */
export const BREAKPOINT = { narrow: 768, middle: 992, wide: 1200 } as const
