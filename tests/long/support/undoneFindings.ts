import type { GuardedMistake } from './guardedMistake.ts'

/**
 * What holds since use, attack and faults showed that it did not (docs/findings.md), each undone by a small change of
 * our own source. The test that the finding names must fail then (tests/long/undoneFindings.test.ts): one that passes
 * says nothing.
 */
export interface UndoneFinding extends GuardedMistake {
  /** Begins with the number of the finding. */
  readonly name: string
}

export const undoneFindings: readonly UndoneFinding[] = [
  {
    name: 'W2 a value outside of what is plausible is said to be wrong, and stops the submit',
    file: 'core/form/engine/warning.ts',
    find: `issue.code === 'implausible-low' || issue.code === 'implausible-high' || (issue`,
    put: `(issue`,
    test: 'tests/core/form/ranges.test.ts',
  },
  {
    name: 'W3 a correction with its reason un-submits the page',
    file: 'server/areas/entry/compose.ts',
    find: `const status = done || corrected ? SUBMITTED`,
    put: `const status = done ? SUBMITTED`,
    test: 'tests/server/areas/entry/warnings.test.ts',
  },
  {
    name: 'W4 a page is submitted over warnings that nobody answered',
    file: 'server/areas/entry/disputes/confirmations.ts',
    find: `return evaluation.issues.some(({ issues }) => issues.some(isUnanswered))`,
    put: `return evaluation.issues.length < 0 && evaluation.issues.some(({ issues }) => issues.some(isUnanswered))`,
    test: 'tests/server/areas/entry/warnings.test.ts',
  },
  {
    name: 'W7 “synced” stands beside patients that are not on this device',
    file: 'src/screens/patients/patientColumns.tsx',
    find: `(sync === 'received' ? '' : <StatusShape`,
    put: `(sync === 'conflict' ? '' : <StatusShape`,
    test: 'tests/src/screens/patients/PatientsScreen.test.tsx',
  },
  {
    name: 'W8 a visit that nobody planned is booked without a word',
    file: 'src/screens/ecrf/casebook/MakeVisitDialog.tsx',
    find: `const wrongWhy = asksWhy && why.trim() === '' ?`,
    put: `const wrongWhy = asksWhy && why.trim() === '-' ?`,
    test: 'tests/src/screens/ecrf/visits.test.tsx',
  },
  {
    name: 'W15 a field turns red while its own list is open',
    file: 'src/form/formEvents.ts',
    find: `if (!actions.isOpen(address)) state.leave(address)`,
    put: `state.leave(address)`,
    test: 'tests/src/form/picking.test.tsx',
  },
  {
    name: 'W16 a time has seconds that nobody measured',
    file: 'core/values/dates.ts',
    find: `if (parts.length === 2 && !minutes) parts.push('0')`,
    put: `if (parts.length === 2) parts.push('0')`,
    test: 'tests/core/form/definition/value.test.ts',
  },
  {
    name: 'W19 a silent server is asked every few seconds for ever',
    file: 'src/session/serverWatch.ts',
    find: `this.#nextAt = performance.now() + (WAITS_MS[asked] ?? WAITS_MS[2])`,
    put: `this.#nextAt = performance.now()`,
    test: 'tests/src/session/serverWatch.test.ts',
  },
  {
    name: 'K4 whose saved value another has written over reads nothing of it',
    file: 'src/screens/design/designEditor.ts',
    find: `, ...findOverwritten(this.#withoutMine, base, theirs)]`,
    put: `, ...findOverwritten(this.#withoutMine, base, theirs).slice(0, 0)]`,
    test: 'tests/src/screens/design/designEditor.test.ts',
  },
  {
    name: 'K8 a field with a new code is one removed and one added',
    file: 'core/design/renames.ts',
    find: `    found.set(column.prop, former)`,
    put: `    if (former === '') found.set(column.prop, former)`,
    test: 'tests/core/design/renames.test.ts',
  },
  {
    name: 'K9 a signature shows neither its time nor what it means',
    file: 'src/screens/versions/ApprovalTable.tsx',
    find: `<div>{t(result === 1 ? 'approve.meaning.pass' : 'approve.meaning.fail')}</div>`,
    put: `<div />`,
    test: 'tests/src/screens/versions/signatures.test.tsx',
  },
  {
    name: 'K13 a draft that somebody else has saved is written over',
    file: 'server/areas/version/design/design.ts',
    find: `if (rev !== body.rev) throw fail('draft_changed')`,
    put: `if (rev < body.rev) throw fail('draft_changed')`,
    test: 'tests/server/areas/version/design/design.test.ts',
  },
  {
    name: 'K14 the last contact is not noted',
    file: 'src/session/serverWatch.ts',
    find: `      this.#watching.answered()`,
    put: `      if (this.#reachable === null) this.#watching.answered()`,
    test: 'tests/src/session/serverWatch.test.ts',
  },
  {
    name: 'K16 an older release is as formal as the newest',
    file: 'server/areas/version/store.ts',
    find: `AND l.version_no > v.version_no) AS superseded`,
    put: `AND l.version_no > v.version_no + 1000) AS superseded`,
    test: 'tests/server/areas/version/version.test.ts',
  },
  {
    name: 'F3 a server without room says that it is ready',
    file: 'server/health/health.ts',
    find: `if (this.#isShort || performance.now() < this.#fullUntil) return 'full'`,
    put: `if (performance.now() < this.#fullUntil - FULL_MS) return 'full'`,
    test: 'tests/server/health/health.test.ts',
  },
  {
    name: 'F4 a person is in conflict with themselves after an older backup',
    file: 'core/sync/merge.ts',
    find: `    if (order === 'theirs') {
      if (isWord`,
    put: `    if (order === 'theirs' && this.values === values && code === '') {
      if (isWord`,
    test: 'tests/scenarios/orderAfterRestore.test.ts',
  },
  {
    name: 'F5 what was typed waits before it is on the disk',
    file: 'offline/draft/journal.ts',
    find: `const GATHERED_FOR_MS = 10`,
    put: `const GATHERED_FOR_MS = 300`,
    test: 'tests/offline/draft/journal.test.ts',
  },
  {
    name: 'F10 a database that does not answer keeps everybody waiting',
    file: 'server/health/pulse.ts',
    find: `const state = await Promise.race([this.#running, late])`,
    put: `const state = await Promise.race([this.#running, late.then(() => this.#running ?? 'late')])`,
    test: 'tests/server/health/pulse.test.ts',
  },
  {
    name: 'S1 a rule that asked for too much passes for one without a value',
    file: 'core/rules/budget.ts',
    find: `const isSpent = steps < 0 || size < 0`,
    put: `const isSpent = steps < 0 && size < 0`,
    test: 'tests/core/rules/budget.test.ts',
  },
  {
    name: 'S3 the session of a blocked device goes on',
    file: 'server/http/calls.ts',
    find: `if (signedIn.isBlocked && !whileBlocked.has(call.id)) throw fail('device_blocked')`,
    put: `if (signedIn.isBlocked && whileBlocked.size === 0) throw fail('device_blocked')`,
    test: 'tests/server/areas/auth/revoked.test.ts',
  },
  {
    name: 'S4 a row of double entry is sealed without saying whose pass it is of',
    file: 'server/areas/doubleEntry/service.ts',
    find: `action: ignores ? 'gap.ignore' : 'gap.open', centerId: patient.centerId, patientId,`,
    put: `action: ignores ? 'gap.ignore' : 'gap.open', patientId,`,
    test: 'tests/server/areas/doubleEntry/doubleEntry.test.ts',
  },
  {
    name: 'S5 anybody of the project spoils a colleague’s upload',
    file: 'server/areas/attachment/receive.ts',
    find: `  if (part.centerId === null || !seesCenter(member, part.centerId) || part.pass !== member.pass) throw fail('forbidden')`,
    put: `  if (part.centerId === null) throw fail('forbidden')`,
    test: 'tests/server/access/access.test.ts',
  },
  {
    name: 'S6 the keys of a center go to who sees one patient of it',
    file: 'server/areas/sync/routes.ts',
    find: `if (await mayHoldKeys(transaction, body.deviceId, readScope(scope), member)) granted.push`,
    put: `if ((await mayHoldKeys(transaction, body.deviceId, readScope(scope), member)) || scope !== '') granted.push`,
    test: 'tests/server/access/access.test.ts',
  },
  {
    name: 'S7 a manager of one center gives themselves all of them',
    file: 'server/areas/member/grants.ts',
    find: `    if (wanted === null || !isSame(old, wanted)) throw fail('forbidden')`,
    put: `    if (wanted === null) throw fail('forbidden')`,
    test: 'tests/server/areas/member/grants.test.ts',
  },
  {
    name: 'S9 who fails with many passwords never waits',
    file: 'server/areas/auth/attempts.ts',
    find: `const FREE_TRIES = 5`,
    put: `const FREE_TRIES = 5000`,
    test: 'tests/server/areas/auth/signIn.test.ts',
  },
  {
    name: 'S10 a known device id is enough to speak in its name',
    file: 'server/areas/auth/device.ts',
    find: `  if (own !== deviceId) throw fail('forbidden')`,
    put: `  if (own === '') throw fail('forbidden')`,
    test: 'tests/server/areas/auth/revoked.test.ts',
  },
  {
    name: 'S11 a password that everybody tries first is taken',
    file: 'core/access/passwordRules.ts',
    find: `return isCommonPassword(password) ? { code: 'common_password' } : null`,
    put: `return isCommonPassword(password) && password === '' ? { code: 'common_password' } : null`,
    test: 'tests/core/access/passwordRules.test.ts',
  },
  {
    name: 'S14 figures are told to the whole network',
    file: 'server/http/probes.ts',
    find: `return isLoopback(request.ip.replace(/^::ffff:/i, '')) && !handedOn`,
    put: `return isLoopback(request.ip.replace(/^::ffff:/i, '')) || handedOn`,
    test: 'tests/server/http/door.test.ts',
  },
  {
    name: 'S16 any page of the web may be framed',
    file: 'server/http/web.ts',
    find: `frameSrc: [\`'none'\`]`,
    put: `frameSrc: ['https:']`,
    test: 'tests/server/http/web.test.ts',
  },
  {
    name: 'S17 former members fill the inbox without limit',
    file: 'server/operations/holdAct.ts',
    find: `if ((rows[0]?.waiting ?? 0) >= MAX_WAITING) throw fail('inbox_full')`,
    put: `if ((rows[0]?.waiting ?? 0) >= 1e9 + MAX_WAITING) throw fail('inbox_full')`,
    test: 'tests/server/areas/sync/limits.test.ts',
  },
  {
    name: 'I3 the time between two times of day is blank',
    file: 'core/exchange/redcap/translate.ts',
    find: `, \${unitText(unit)}, \${signed})\``,
    put: `, "y", \${signed})\``,
    test: 'tests/core/exchange/redcap/piping.test.ts',
  },
  {
    name: 'I4 a calculated “false” counts as true',
    file: 'core/exchange/xpath/names.ts',
    find: `    this.#truths.set(field, truth)
    return truth`,
    put: `    this.#truths.set(field, false)
    return false`,
    test: 'tests/core/exchange/xlsform/truths.test.ts',
  },
  {
    name: 'I7 a damaged Chinese file is read as a Western one',
    file: 'core/exchange/fileText.ts',
    find: `if (found.whole >= 2 * found.broken) return refuseText`,
    put: `if (found.whole >= 2_000_000 + found.broken) return refuseText`,
    test: 'tests/core/exchange/fileText.test.ts',
  },
]
