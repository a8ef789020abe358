import { isId } from '#core/ids.ts'
import { entryStatus } from '#core/sync/entryMark.ts'
import type { EntryRow } from './rows.ts'

/**
 * A quick look that takes in what nearly every entry of a first download is: a row with nothing optional about it. It
 * takes in nothing that `entryRow` would not, and leaves all else to it, for walking through a schema costs more than
 * everything else that is done with a row.
 */
export function isPlainEntry(row: unknown): row is EntryRow {
  if (!isRecord(row)) return false
  for (const key in row) if (!KEYS.has(key)) return false
  return (
    IDS.every((key) => isIdText(row[key])) &&
    TEXTS.every((key) => typeof row[key] === 'string') &&
    (row['parentEntryId'] === null || isIdText(row['parentEntryId'])) &&
    (row['pass'] === 1 || row['pass'] === 2) &&
    STATUSES.has(row['status']) &&
    FLAGS.every((key) => row[key] === undefined || typeof row[key] === 'boolean') &&
    typeof row['deleted'] === 'boolean' &&
    Number.isSafeInteger(row['rev']) &&
    Number.isSafeInteger(row['conflicts']) &&
    EMPTY_LISTS.every((key) => row[key] === undefined || (Array.isArray(row[key]) && row[key].length === 0)) &&
    (row['retired'] === undefined || isEmpty(row['retired'])) &&
    isRecord(row['values']) &&
    !Object.hasOwn(row['values'], '__proto__') &&
    isEmpty(row['missing']) &&
    Array.isArray(row['hidden']) &&
    row['hidden'].every((code) => typeof code === 'string') &&
    isProgress(row['progress']) &&
    typeof row['dataHash'] === 'string' &&
    HASH.test(row['dataHash']) &&
    isInstant(row['updatedAt'])
  )
}

const IDS = ['id', 'patientId', 'centerId', 'folderId', 'pageId', 'versionId', 'updatedBy'] as const
const TEXTS = ['folderRepeat', 'pageRepeat', 'updatedByName'] as const
const FLAGS = ['submittedOnce', 'masked'] as const
/** What there is only where something has happened to the page. */
const EMPTY_LISTS = ['unexplained', 'confirmed'] as const
const STATUSES: ReadonlySet<unknown> = new Set(entryStatus.options)
const OTHERS = [
  'parentEntryId',
  'pass',
  'status',
  'deleted',
  'rev',
  'conflicts',
  'values',
  'missing',
  'hidden',
  'progress',
  'dataHash',
  'updatedAt',
] as const
const KEYS: ReadonlySet<string> = new Set([...IDS, ...TEXTS, ...FLAGS, ...EMPTY_LISTS, 'retired', ...OTHERS])

const HASH = /^[0-9a-f]{64}$/

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}

function isIdText(value: unknown): boolean {
  return typeof value === 'string' && isId(value)
}

function isEmpty(value: unknown): boolean {
  return isRecord(value) && Object.keys(value).length === 0
}

function isProgress(value: unknown): boolean {
  if (value === undefined || value === null) return true
  if (!isRecord(value)) return false
  const { total, answered, missing, ...more } = value
  return (
    Number.isSafeInteger(total) &&
    Number.isSafeInteger(answered) &&
    Number.isSafeInteger(missing) &&
    Object.keys(more).length === 0
  )
}

function isInstant(value: unknown): boolean {
  if (typeof value !== 'string' || value.length !== 24 || value.startsWith('0000')) return false
  const time = Date.parse(value)
  return !Number.isNaN(time) && new Date(time).toISOString() === value
}
