/**
 * Dictionaries of a project: lists of choices with a code, which fields name by one of our URLs
 * (core/form/definition/projectLists.ts). This file has the limits of an entry, and reads entries that a person writes
 * down, one in a line or one in a row of a spreadsheet.
 */

/** Most entries of one dictionary, on all its levels: a definition may carry this many with each of its fields. */
export const MOST_ENTRIES = 5_000
/** Most dictionaries of a project. */
export const MOST_DICTIONARIES = 500
/** Deepest level of an entry; entries directly below the dictionary are on the first level. */
export const DEEPEST_ENTRY = 6
export const LONGEST_KEY = 60
export const LONGEST_LABEL = 200

/** The key in a dictionary's own row, as the BladeX family writes it. */
export const DICTIONARY_KEY = '-1'

/** Why a text is no key or no label. `character`: it would be read as the end of a value, or nobody can see it. */
export const entryProblems = [
  'no_key',
  'no_label',
  'key_too_long',
  'label_too_long',
  'character',
  'duplicate',
  'unknown_parent',
  'too_deep',
  'too_many',
] as const
export type EntryProblem = (typeof entryProblems)[number]

/** An entry as a person wrote it. */
export interface WrittenEntry {
  readonly dictKey: string
  readonly dictValue: string
  /** The label in English; null without one. */
  readonly labelEn: string | null
  /** Key of the entry above it; null on the first level. */
  readonly parentKey: string | null
}

/** What is wrong with a line or a row. */
export interface LineProblem {
  /** Counted from 1, as in the text or the spreadsheet. */
  readonly line: number
  readonly problem: EntryProblem
  /** The key as it was written, where there was one. */
  readonly key: string
}

export interface ReadEntries {
  readonly entries: readonly WrittenEntry[]
  readonly problems: readonly LineProblem[]
}

/** Some clients join several answers of one field with a comma or a bar. */
const NOT_IN_KEY = /[,，|\p{C}\p{Zl}\p{Zp}]/u
const NOT_IN_LABEL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u

/** Why a text cannot be an entry's key; null where it can. */
export function keyProblem(key: string): EntryProblem | null {
  if (key === '') return 'no_key'
  if (key.length > LONGEST_KEY) return 'key_too_long'
  return NOT_IN_KEY.test(key) || key !== key.trim() ? 'character' : null
}

/** Why a text cannot be a label; null where it can. */
export function labelProblem(label: string): EntryProblem | null {
  if (label.trim() === '') return 'no_label'
  if (label.length > LONGEST_LABEL) return 'label_too_long'
  return NOT_IN_LABEL.test(label) ? 'character' : null
}

/** What is wrong with an entry by itself; null where nothing is wrong. */
export function entryProblem({
  dictKey,
  dictValue,
  labelEn,
}: Pick<WrittenEntry, 'dictKey' | 'dictValue' | 'labelEn'>): EntryProblem | null {
  return keyProblem(dictKey) ?? labelProblem(dictValue) ?? (labelEn === null ? null : labelProblem(labelEn))
}

/**
 * Reads entries from a text, one in a line: a key and a label with a tab or white space between them, and after a
 * second tab the label in English. Blank lines are skipped. A line that cannot be an entry is reported by its number,
 * and is not among the entries.
 */
export function readEntryLines(text: string): ReadEntries {
  const lines = text
    .split(/\r\n?|\n/)
    .flatMap((line, at) => (line.trim() === '' ? [] : [{ line: at + 1, entry: entryOfLine(line) }]))
  return checkedEntries(lines)
}

function entryOfLine(line: string): WrittenEntry {
  if (line.includes('\t')) {
    const [dictKey = '', dictValue = '', labelEn = ''] = line.split('\t').map((part) => part.trim())
    return { dictKey, dictValue, labelEn: labelEn === '' ? null : labelEn, parentKey: null }
  }
  const [, dictKey = '', dictValue = ''] = /^(\S+)\s*(.*)$/su.exec(line.trim()) ?? []
  return { dictKey, dictValue: dictValue.trim(), labelEn: null, parentKey: null }
}

/**
 * Entries that a person wrote down, in order, with what is wrong with each. The entry above an entry must come before
 * it, or be in the dictionary already.
 *
 * @param there keys of the entries that the dictionary has, each with its level from 1
 */
export function checkedEntries(
  lines: readonly { readonly line: number; readonly entry: WrittenEntry }[],
  there: ReadonlyMap<string, number> = new Map(),
): ReadEntries {
  const levels = new Map(there)
  const entries: WrittenEntry[] = []
  const problems: LineProblem[] = []
  for (const { line, entry } of lines) {
    const above = entry.parentKey === null ? 0 : levels.get(entry.parentKey)
    const problem =
      entryProblem(entry) ??
      (levels.has(entry.dictKey)
        ? 'duplicate'
        : above === undefined
          ? 'unknown_parent'
          : above >= DEEPEST_ENTRY
            ? 'too_deep'
            : levels.size >= MOST_ENTRIES
              ? 'too_many'
              : null)
    if (problem === null) entries.push(entry)
    else problems.push({ line, problem, key: entry.dictKey.slice(0, LONGEST_KEY) })
    // A written key counts as known from here on, so that entries below a wrong line are not reported because of that
    // line.
    if (entry.dictKey !== '' && !levels.has(entry.dictKey) && levels.size < MOST_ENTRIES)
      levels.set(entry.dictKey, (above ?? 0) + 1)
  }
  return { entries, problems }
}
