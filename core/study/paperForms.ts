/** What the server makes of a version for paper: blank, and with codes and rules (docs/adr/0054-print.md). */
export const paperFormats = ['blank', 'annotated'] as const
export type PaperFormat = (typeof paperFormats)[number]
