/** Number of the wire protocol. Each change of the wire raises it and adds a line to `protocolHistory`. */
export const PROTOCOL = 1
/** The oldest protocol the server still takes. */
export const OLDEST_PROTOCOL = 1
export const protocolHistory: readonly { readonly protocol: number; readonly day: string; readonly change: string }[] = [
  { protocol: 1, day: '2026-11-21', change: 'First protocol: operations, receipts, pull stream.' },
]
