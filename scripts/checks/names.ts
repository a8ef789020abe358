import { lineAt } from '#scripts/checks/sources.ts'
import type { Finding, SourceFile } from '#scripts/checks/sources.ts'

/**
 * Names. A function's name says what it does (verb and object), so none is a bare participle ("kept", "sorted"); and
 * things are called by their glossary names.
 */

/** Parts of the project whose functions are checked. Tests may name what they have made as a reader would say it. */
const LOOKED_AT = /^(core|server|offline|src|sw|workers|scripts|bench)\//

const FUNCTION =
  /\bfunction\*?\s+([a-z]+)\s*[(<]|\bconst\s+([a-z]+)\b[^=\n]*=\s*(?:async\s*)?(?:\([^()\n]*\)|[a-zA-Z]+)(?::[^=\n]+)?\s*=>/g

/** Verbs that look like their participle, and nouns that end like one. */
const VERBS: ReadonlySet<string> = new Set(
  'bed cut embed exceed feed hit indeed let need proceed put read red run seed set speed split'.split(' '),
)
const IRREGULAR: ReadonlySet<string> = new Set(
  (
    'begun bent bound broken brought built caught chosen done drawn driven dug eaten fallen fed felt flown forgotten ' +
    'fought found frozen given gone got grown heard held hidden hung kept known laid lain led left lit lost made meant ' +
    'met paid proven ridden risen rung said seen sent shown slept slid sold sought ' +
    'spent spoken stolen stood stuck swept swum taken taught thought thrown told torn withdrawn ' +
    'woken won worn wound written'
  ).split(' '),
)

/** These prefixes before a participle make another participle: undone, rewritten, overtaken. */
const PREFIX = /^(?:un|re|over|under|mis)/

function isBareParticiple(name: string): boolean {
  if (VERBS.has(name)) return false
  return /[a-z]{2}ed$/.test(name) || IRREGULAR.has(name) || IRREGULAR.has(name.replace(PREFIX, ''))
}

/** Functions with a bare participle as name. */
export function checkNames(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => LOOKED_AT.test(path))
    .flatMap(({ path, text }) =>
      [...text.matchAll(FUNCTION)].flatMap(({ 1: declared, 2: assigned, index }) => {
        const name = declared ?? assigned ?? ''
        return isBareParticiple(name)
          ? [{ path, line: lineAt(text, index), message: `"${name}" is no name of a function: verb and object` }]
          : []
      }),
    )
}

/** Code that compares or sets a status with the word that stands for it in the database. */
const RAW_STATUS = /\bstatus\b[^\n`'",;]{0,40}'other'|'other' : 'process'/g

/** Statuses that are written as text instead of by their constant (core/sync/submitted.ts). */
export function checkStatuses(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => LOOKED_AT.test(path))
    .flatMap(({ path, text }) =>
      [...text.replaceAll(/`[^`]*`/g, (quoted) => quoted.replaceAll(/[^\n]/g, ' ')).matchAll(RAW_STATUS)].map(
        ({ index }) => ({ path, line: lineAt(text, index), message: 'a submitted entry is SUBMITTED (core/sync)' }),
      ),
    )
}

/** Words that were given up, and the words in their place. */
const GIVEN_UP: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bsanguine\b/gi, 'say what is relied on'],
  [/\bballast(?!\.md|`)|Ballast/g, 'space reserve'],
  [/\b(?:start|Session)?Kernel\b/g, 'session'],
  [/\bDesk\b/g, 'SessionHolder'],
  [/\b(?:(?:Data|set|take|saved|reads)Elsewhere|NOTHING_ELSEWHERE)\b/g, 'other pages, or not here'],
  [
    /\b(?:casebook|entry|design|patients|trail|files?|login|lock|conflict|uat)Address\b/g,
    'a field address is core/form/definition/address.ts; a place of the app is a path, else a URL',
  ],
  [/\b(?:Design|Uat|Trial)Session\b/g, 'an editor; a session is a sign-in'],
  [/\b(?:OutboxHead|outboxHeads|HeldKeys|heldOps)\b/g, 'outbox lines, stored keys, taken operations'],
  [
    /\b(?:takeTogether|takeAmongOthers|DesignAct|RowAct|Carried(?=\b))\b/g,
    'takeBatch, a design step, an operation that is ready',
  ],
  [/\bplaceOf\b/g, 'say what it gives: resolvePath, fieldOfError …'],
  [/\bbyProp\b|\bcell\.field\.prop\b/g, 'a field has a code; a stored column has a prop'],
  [/\b(?:interface|type) Places?\b/g, 'say of what: ItemPlace, SealPlace …'],
  [/\b(?:Sync|Pull|Status|Pass|Visit|FileState|Acceptance)Mark\b/g, 'a mark is how far an entry is (EntryMark)'],
  [
    /\b(?:Kept(?:Folder|Sides|Field|Backup|Design|Line)|withKept|keptOf)\b/g,
    'unsaved, continued, retained, remembered',
  ],
  [/\bhold(?:Typing|Runtime)\b/g, 'an act is held, a browser lock is locked'],
  [/\b(?:settle(?:Conflict|Lines|Refusal|Unanswered)|Settling)\b/g, 'answers are booked, cells are settled'],
  [/\b(?:UploadStanding|requireStanding|readStanding)\b/g, 'standing is that of an author'],
  [/\b(?:chainsToSend|openChains|packChains)\b/g, 'a run of operations; a chain is the audit chain'],
  [/\b(?:DraftOp|DraftPlace|(?:Audit|Change|Conflict)Draft)\b/g, 'a planned operation, a new row'],
  [/\b(?:[fF]ormerPlace|noteFormer)\b/g, 'the lost place of an operation'],
  [/\b(?:[A-Z]?[a-z]+)*Trials?(?:[A-Z][a-z]+)*\b/g, 'uat for user testing of a version, rule run for a rule on data'],
]

/** Given-up words of the glossary (with two meanings or none) that come back into the product. */
export function checkWords(files: readonly SourceFile[]): Finding[] {
  return files
    .filter(({ path }) => /^(core|server|offline|src|sw|workers)\//.test(path))
    .flatMap(({ path, text }) =>
      GIVEN_UP.flatMap(([word, instead]) =>
        [...text.matchAll(word)].map(({ 0: found, index }) => ({
          path,
          line: lineAt(text, index),
          message: `"${found}" was given up: ${instead}`,
        })),
      ),
    )
}
