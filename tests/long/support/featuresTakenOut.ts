import type { GuardedMistake } from './guardedMistake.ts'

/**
 * Features that a user would name, each taken out by a small change of our own source. A test of the ring that is named
 * must fail then (tests/long/featuresTakenOut.test.ts): what can go unnoticed is not proven.
 */
export interface TakenOutFeature extends GuardedMistake {
  /** What is there no more. */
  readonly name: string
  /** Whether `npm test` must notice, or the rest of `npm run test:all`. */
  readonly ring: 'first' | 'second'
}

export const featuresTakenOut: readonly TakenOutFeature[] = [
  {
    name: 'what identifies a patient is masked for who may not see it',
    file: 'server/areas/entry/reading/mask.ts',
    find: `if (masked.size === 0) return row`,
    put: `if (masked.size >= 0) return row`,
    ring: 'first',
    test: 'tests/server/access/masked.test.ts',
  },
  {
    name: 'a saved value has its row in the audit trail',
    file: 'server/areas/entry/book.ts',
    find: `...merged.items.map((item) =>`,
    put: `...merged.items.slice(0, 0).map((item) =>`,
    ring: 'first',
    test: 'tests/server/areas/entry/save.test.ts',
  },
  {
    name: 'a change of a submitted page asks for a reason',
    file: 'server/areas/entry/disputes/reasons.ts',
    find: `if (!entry.submittedOnce) return []`,
    put: `if (entry !== null) return []`,
    ring: 'first',
    test: 'tests/server/areas/entry/disputes/reasons.test.ts',
  },
  {
    name: 'typing comes back after the app died',
    file: 'offline/draft/journal.ts',
    find: `if (!(await alive(runtime))) orphans.push`,
    put: `if (await alive(runtime)) orphans.push`,
    ring: 'first',
    test: 'tests/offline/draft/journal.test.ts',
  },
  {
    name: 'what got no answer is sent again',
    file: 'offline/outbox/order.ts',
    find: `(row.state === 'queued' || row.state === 'retry') && isDue`,
    put: `row.state === 'queued' && isDue`,
    ring: 'first',
    test: 'tests/offline/sync/cycle.test.ts',
  },
  {
    name: 'double entry compares the two passes',
    file: 'core/review/gaps.ts',
    find: `const differs = !sameFor(`,
    put: `const differs = field === null && !sameFor(`,
    ring: 'first',
    test: 'tests/core/review/gaps.test.ts',
  },
  {
    name: 'locking the screen puts away the keys of what can be read',
    file: 'src/session/sessionHolder.ts',
    find: `this.vault.lock()`,
    put: ``,
    ring: 'first',
    test: 'tests/scenarios/session/start.test.ts',
  },
  {
    name: 'lists show patients of one’s own centers alone',
    file: 'server/areas/patient/store.ts',
    find: `p.center_id = ANY ($2)) AND`,
    put: `p.center_id = ANY ($2) OR true) AND`,
    ring: 'first',
    test: 'tests/server/areas/patient/patient.test.ts',
  },
  {
    name: 'a field is calculated from others',
    file: 'core/form/engine/slot.ts',
    find: `if (cell.calculate !== null && mode !== 'view')`,
    put: `if (cell === null)`,
    ring: 'first',
    test: 'tests/core/form/engine/engine.test.ts',
  },
  {
    name: 'a field is hidden until its rule shows it',
    file: 'core/form/engine/slot.ts',
    find: `if (cell.show === null) return true`,
    put: `if (cell !== null) return true`,
    ring: 'first',
    test: 'tests/core/form/engine/engine.test.ts',
  },
  {
    name: 'an implausible value can be confirmed',
    file: 'core/form/engine/warning.ts',
    find: `if (answers.length === 0) return warning`,
    put: `if (answers.length >= 0) return warning`,
    ring: 'first',
    test: 'tests/server/areas/entry/warnings.test.ts',
  },
  {
    name: 'a table takes another row',
    file: 'core/form/engine/tableRows.ts',
    find: `if (limit !== null && live.length >= limit) return null`,
    put: `if (live.length >= 0) return null`,
    ring: 'first',
    test: 'tests/core/form/tables.test.ts',
  },
  {
    name: 'a date may be known in part',
    file: 'core/values/calendarParts.ts',
    find: `dateFromTyping(known) ?? monthFromTyping(known) ?? yearFromTyping(known)`,
    put: `dateFromTyping(known)`,
    ring: 'first',
    test: 'tests/core/form/partialDate.test.ts',
  },
  {
    name: 'a visit out of its window is told',
    file: 'core/study/visits/schedule.ts',
    find: `if (actualDate === null) return null`,
    put: `return actualDate === null ? null : 'inWindow'`,
    ring: 'first',
    test: 'tests/core/study/visits/schedule.test.ts',
  },
  {
    name: 'values follow a field that a release has renamed',
    file: 'core/study/migration/migrationPlan.ts',
    find: `if (to !== undefined) pair(`,
    put: `if (to === '') pair(`,
    ring: 'first',
    test: 'tests/core/study/migration/migrationPlan.test.ts',
  },
  {
    name: 'a restored server begins a new time',
    file: 'server/backup/newTime.ts',
    find: `const epoch = await renewEpoch(transaction)`,
    put: `const epoch = (await transaction.query(\`SELECT value #>> '{}' AS epoch FROM setting WHERE key = 'epoch'\`)).rows[0].epoch`,
    ring: 'second',
    test: 'tests/server/backup/backup.test.ts',
  },
  {
    name: 'the hash chain is computed anew when it is verified',
    file: 'server/areas/audit/chain.ts',
    find: `if (!sound) return reportBroken(`,
    put: `if (link === null) return reportBroken(`,
    ring: 'first',
    test: 'tests/server/areas/audit/audit.test.ts',
  },
  {
    name: 'a backup is made when it is due',
    file: 'server/backup/schedule.ts',
    find: `if (last.lastAt + options.everyMs > now()) return last`,
    put: `if (last.lastAt >= 0) return last`,
    ring: 'first',
    test: 'tests/server/backup/schedule.test.ts',
  },
  {
    name: 'a template of OpenClinica can be imported',
    file: 'core/exchange/readDefinition.ts',
    find: `isOf: isCrfTemplate`,
    put: `isOf: () => false`,
    ring: 'first',
    test: 'tests/core/exchange/openclinica/read.test.ts',
  },
  {
    name: 'who leaves a page that could not be saved is asked',
    file: 'src/screens/ecrf/page/useLeaveGuard.ts',
    find: `else ask(last.anyway)`,
    put: `else last.anyway()`,
    ring: 'first',
    test: 'tests/src/screens/ecrf/page/useLeaveGuard.test.tsx',
  },
]
