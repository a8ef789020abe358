const MONTH = /^(\d{4})-(\d{2})$/

/** Every month from the first to the last, as yyyy-MM; empty for texts that are no months. */
export function monthsBetween(first: string, last: string): readonly string[] {
  const [from, to] = [numberOf(first), numberOf(last)]
  if (from === null || to === null || to < from) return []
  return Array.from({ length: to - from + 1 }, (_, at) => textOf(from + at))
}

function numberOf(month: string): number | null {
  const match = MONTH.exec(month)
  return match === null ? null : Number(match[1]) * 12 + Number(match[2]) - 1
}

function textOf(month: number): string {
  return `${String(Math.floor(month / 12)).padStart(4, '0')}-${String((month % 12) + 1).padStart(2, '0')}`
}
