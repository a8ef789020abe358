import type { StatusTarget } from './statusTargets.ts'

/** Lists of the top bar that open in a dialog where the bar has no room for them. */
export type BarList = 'version' | 'center' | 'member'

/** What the top bar opens over the screen. */
export type BarDialog =
  | { readonly kind: 'list'; readonly list: BarList }
  | { readonly kind: 'draft' }
  | { readonly kind: 'functions' }
  | { readonly kind: 'status'; readonly to: StatusTarget }
  | { readonly kind: 'delete' }
