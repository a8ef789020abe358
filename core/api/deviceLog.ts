/** Limits of a device's own error log, the same where it is kept and where it is sent to. */

/** How many lines a device keeps and sends at most; the oldest go. */
export const MAX_LOG_LINES = 200
/** Size of one line: its JSON in UTF-8. */
export const MAX_LOG_LINE_BYTES = 10_240
