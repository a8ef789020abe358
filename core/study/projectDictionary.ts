/**
 * Dictionaries of a project: lists of choices with a code, which fields name by an address of ours
 * (core/form/definition/projectLists.ts). What an entry may be, and entries as a person writes them down, one a line or
 * one a row of a spreadsheet.
 */

/** Most entries of one dictionary, on all its levels: what one definition may bring along with each of its fields. */
export const MOST_ENTRIES = 5_000
/** Most dictionaries of a project. */
export const MOST_DICTIONARIES = 500
/** Deepest entry; those right below the dictionary are the first level. */
export const DEEPEST_ENTRY = 6
export const LONGEST_KEY = 60
export const LONGEST_LABEL = 200

/** What a dictionary's own row has for a key, as the BladeX family writes it. */
export const DICTIONARY_KEY = '-1'

/** Why a text is no key, or no label. `character`: it would be taken for the end of a value, or nobody sees it. */
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

/** An entry as it is written down. */
export interface WrittenEntry {
  readonly dictKey: string
  readonly dictValue: string
  /** The label in English; null without one. */
  readonly labelEn: string | null
  /** Key of the entry that it stands below; null on the first level. */
  readonly parentKey: string | null
}

/** What is wrong with a line or a row. */
export interface LineProblem {
  /** Counted from 1, as the text or the spreadsheet counts. */
  readonly line: number
  readonly problem: EntryProblem
  /** The key as it was written, where one was. */
  readonly key: string
}

export interface ReadEntries {
  readonly entries: readonly WrittenEntry[]
  readonly problems: readonly LineProblem[]
}

/** Several answers of one field are joined with a comma or a bar by some clients. */
const NOT_IN_KEY = /[,，|\p{C}\p{Zl}\p{Zp}]/u
const NOT_IN_LABEL = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]/u

/** Why a text cannot be an entry's key; null for one that can. */
export function keyProblem(key: string): EntryProblem | null {
  if (key === '') return 'no_key'
  if (key.length > LONGEST_KEY) return 'key_too_long'
  return NOT_IN_KEY.test(key) || key !== key.trim() ? 'character' : null
}

/** Why a text cannot be a label; null for one that can. */
export function labelProblem(label: string): EntryProblem | null {
  if (label.trim() === '') return 'no_label'
  if (label.length > LONGEST_LABEL) return 'label_too_long'
  return NOT_IN_LABEL.test(label) ? 'character' : null
}

/** What is wrong with an entry by itself; null where nothing is. */
export function entryProblem({
  dictKey,
  dictValue,
  labelEn,
}: Pick<WrittenEntry, 'dictKey' | 'dictValue' | 'labelEn'>): EntryProblem | null {
  return keyProblem(dictKey) ?? labelProblem(dictValue) ?? (labelEn === null ? null : labelProblem(labelEn))
}

/**
 * Entries from a text, one a line: a key and a label with a tab or white space between them, behind a second tab the
 * label in English. Blank lines are passed over. A line that cannot be an entry is told by its number, and is not among
 * the entries.
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
 * Entries that were written down, in order, with what is wrong with each. What stands below another entry stands after
 * it, or it is one of the entries that are there already.
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
    // A key that was written is known from then on, so that what stands below a wrong line is not wrong for that.
    if (entry.dictKey !== '' && !levels.has(entry.dictKey) && levels.size < MOST_ENTRIES)
      levels.set(entry.dictKey, (above ?? 0) + 1)
  }
  return { entries, problems }
}
