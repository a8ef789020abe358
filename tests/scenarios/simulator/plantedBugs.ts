/**
 * Mistakes of the kind that loses, doubles or silently changes data, each as a small change of our own source. The
 * histories must find every one of them (tests/long/plantedBugs.test.ts): an oracle that misses one would miss the
 * mistake as well when it is made.
 */

export interface PlantedBug {
  readonly name: string
  readonly file: string
  /** Occurs exactly once in the file. */
  readonly find: string
  readonly put: string
  /** Shows only where the server is put back to a backup. */
  readonly restores?: true
}

export const plantedBugs: readonly PlantedBug[] = [
  {
    name: 'every delivery is booked under a key of its own',
    file: 'server/operations/act.ts',
    find: `    key: act.key,
    author: act.author.userId,`,
    put: `    key: crypto.randomUUID(),
    author: act.author.userId,`,
  },
  {
    name: 'what was sent is replaced by a newer save',
    file: 'offline/outbox/outbox.ts',
    find: `if (row.state === 'queued') return row.sent === 0 && REPLACEABLE.has(row.call)`,
    put: `if (row.state === 'queued' || row.state === 'retry') return REPLACEABLE.has(row.call)`,
  },
  {
    name: 'what is under way is replaced by a newer save',
    file: 'offline/outbox/outbox.ts',
    find: `if (row.state === 'queued') return row.sent === 0 && REPLACEABLE.has(row.call)`,
    put: `if (row.state === 'queued' || row.state === 'sending') return REPLACEABLE.has(row.call)`,
  },
  {
    name: 'the cursor is stored before the rows',
    file: 'offline/sync/pull/intake.ts',
    find: `  const dropped = drops.map(`,
    put: `  const { epoch, scopeVersion } = start
  if (comparing === null) {
    await storage.run(({ cache }) => cache.pulls.put({ scope, userId, cursor: mark.cursor, epoch, scopeVersion, pulledAt: null }))
  }
  const dropped = drops.map(`,
  },
  {
    name: 'the last one to write wins',
    file: 'core/sync/merge.ts',
    find: `return { stands: sameContent(current, base) ? to : current, mine: to }`,
    put: `return { stands: to, mine: to }`,
  },
  {
    name: 'the server’s value wins without a word',
    file: 'core/sync/merge.ts',
    find: `if (collides) this.collisions.push`,
    put: `if (collides && to.value === undefined) this.collisions.push`,
  },
  {
    name: 'a row is deleted over an edit that nobody saw',
    file: 'core/sync/merge.ts',
    find: `const unseen = order === 'collide' || base === null || (to.deleted && seen !== null && !this.isAsSeen(row, table, rid, seen))`,
    put: `const unseen = order === 'collide' || base === null`,
  },
  {
    name: 'a page stays submitted over a change that nobody explained',
    file: 'server/areas/entry/compose.ts',
    find: `reasons.unexplained.length === 0 && conflicts.length === 0`,
    put: `conflicts.length === 0`,
  },
  {
    name: 'an operation does not say what it builds on',
    file: 'offline/outbox/outbox.ts',
    find: `const after = builtOn === undefined ? [] : [builtOn.key]`,
    put: `const after: string[] = []`,
  },
  {
    name: 'an answer goes out before its commit',
    file: 'server/database/transaction.ts',
    find: `  await commit(client)
  return result`,
    put: `  commit(client).catch(() => undefined)
  return result`,
  },
  {
    name: 'a key that comes again has its effect again',
    file: 'server/http/idempotency.ts',
    find: `if (!(await claimKey(transaction, operation))) return replay<Result>(transaction, operation)`,
    put: `if (!(await claimKey(transaction, operation)) && operation.call === '') return replay<Result>(transaction, operation)`,
  },
  {
    name: 'what failed is deleted from the outbox',
    file: 'offline/sync/push/bookAnswers.ts',
    find: `await work.outbox.update(key, { state: 'retry', attempts: attempts + 1,`,
    put: `await work.outbox.delete(key)
        await work.outbox.update(key, { state: 'retry', attempts: attempts + 1,`,
  },
  {
    name: 'what was refused is deleted',
    file: 'offline/sync/push/bookAnswers.ts',
    find: `await work.outbox.update(key, { state: 'rejected', error: withoutText(error) })`,
    put: `await work.outbox.delete(key)`,
  },
  {
    name: 'a restored server is not noticed',
    file: 'offline/sync/pull/pull.ts',
    find: `  if (known === epoch) return ok(false)`,
    put: `  if (known !== undefined || epoch === '') return ok(false)`,
    restores: true,
  },
  {
    name: 'a restored server makes other keys for the same tablet',
    file: 'server/operations/keys.ts',
    find: `.update(\`\${what}|\${deviceId}|\${scope}\`)`,
    put: `.update(\`\${what}|\${deviceId}|\${scope}|\${Math.random()}\`)`,
    restores: true,
  },
  {
    name: 'what one may not see any more is gone for the colleague',
    file: 'offline/sync/pull/compare.ts',
    find: `if (others.length === 0) return deleteMarked(cache, keys)`,
    put: `if (others.length >= 0) return deleteMarked(cache, keys)`,
  },
  {
    name: 'a pull ends where the project is by then',
    file: 'server/areas/sync/pull.ts',
    find: `  yield { t: 'end', cursor: end }
}`,
    put: `  yield { t: 'end', cursor: (await withConnection(services.pool, (connection) => boundsOf(connection, scope, { cursor }))).end }
}`,
  },
  {
    name: 'what a pause held back is applied but for the rest',
    file: 'server/areas/entry/held.ts',
    find: `    done += 1
  }`,
    put: `    done += 1
    if (done > 0) return done
  }`,
  },
  {
    name: 'what a pause held back is applied the other way round',
    file: 'server/areas/entry/held.ts',
    find: `ORDER BY o.seq LIMIT 1`,
    put: `ORDER BY o.seq DESC LIMIT 1`,
  },
  {
    name: 'the journal is emptied before the save is there',
    file: 'offline/outbox/outbox.ts',
    find: `  const plan = await planFor(author, planned, seen.rows)`,
    put: `  await work.drafts.bulkDelete([...(along.drafts ?? [])])
  const plan = await planFor(author, planned, seen.rows)`,
  },
  {
    name: 'a number is taken that a tab beside has taken',
    file: 'offline/outbox/outbox.ts',
    find: `if (current?.rev !== along.lease.expectedRev) throw fail('revision_changed')`,
    put: `if (current === undefined) throw fail('revision_changed')`,
  },
  {
    name: 'rules do not run after a merge',
    file: 'server/areas/entry/judgement/judge.ts',
    find: `for (const { table, rid, code, to } of calculated) {\n    if (table === null)`,
    put: `for (const { table, rid, code, to } of calculated.slice(0, 0)) {\n    if (table === null)`,
  },
  {
    name: 'a joined save forgets the first journal',
    file: 'offline/outbox/plannedOperation.ts',
    find: `journal: [...earlier.journal, ...later.journal],`,
    put: `journal: [...later.journal],`,
  },
  {
    name: 'who carries an operation is booked for its author',
    file: 'server/operations/deviceOperation.ts',
    find: `const author = op.author === sender.actor.userId ? sender.actor : await findAuthor(services, sender, op)`,
    put: `const author = op.author === '' ? await findAuthor(services, sender, op) : sender.actor`,
  },
  {
    name: 'keys that unsent work needs are dropped',
    file: 'offline/vault/vault.ts',
    find: `.filter(({ scope }) => unsent.has(scope) || undecided.has(scope))`,
    put: `.filter(({ scope }) => unsent.has(\`\${scope} \`) || undecided.has(\`\${scope} \`))`,
  },
  {
    name: 'an answer takes the place of what was pulled since',
    file: 'offline/sync/cache.ts',
    find: `known.seq < seq`,
    put: `known.seq < seq + 1_000_000`,
  },
  {
    name: 'a page is submitted whatever was seen',
    file: 'server/areas/entry/apply.ts',
    find: `(seen !== null && seen !== dataHash(judgement.data))`,
    put: `seen === dataHash({ values: {}, missing: {} })`,
  },
  {
    name: 'what reads a page that was saved does not follow',
    file: 'server/areas/entry/write.ts',
    find: `if (write !== null && open.crossing)`,
    put: `if (write !== null && !open.crossing)`,
  },
  {
    name: 'what reads a page follows from what stood there before',
    file: 'server/areas/entry/write.ts',
    find: `  await writeEntries(transaction, changed)
  const readers = await recalculateAfter(transaction, several)`,
    put: `  const readers = await recalculateAfter(transaction, several)
  await writeEntries(transaction, changed)`,
  },
  {
    name: 'pages that read each other are not written in turn',
    file: 'server/areas/entry/judgement/crossing.ts',
    find: `values: [\`crossing|\${patientId}|\${String(pass)}\`],`,
    put: `values: [\`crossing|\${patientId}|\${String(pass)}|\${crypto.randomUUID()}\`],`,
  },
  {
    name: 'what met another word on a visit is not booked',
    file: 'server/areas/visit/change.ts',
    find: `    ...collided.map((change) => factRow(change, 'visit.conflict')),`,
    put: `    ...collided.slice(collided.length).map((change) => factRow(change, 'visit.conflict')),`,
  },
  {
    name: 'a photograph counts as sent when its last piece is',
    file: 'offline/files/send.ts',
    find: `if (state === 'stored') return ok({ kind: 'sent' })`,
    put: `if (state === 'stored' || received >= row.size) return ok({ kind: 'sent' })`,
  },
  {
    name: 'a page goes on taking typing when its keys go',
    file: 'src/data/writes/endRights.ts',
    find: `for (const scope of withdrawn) app.close(scope, why(scope))`,
    put: `if (withdrawn.length < 0) app.open('')`,
  },
  {
    name: 'keys go before what is on the page is brought to the disk',
    file: 'src/data/writes/endRights.ts',
    find: `if (withdrawn.length === 0 || !(await app.flush()).ok) return`,
    put: `if (withdrawn.length === 0) return`,
  },
  {
    name: 'signing in anew over an open page takes the keys of what is typed there',
    file: 'src/session/device/enrolDevice.ts',
    find: `scopesOf([...waiting, ...typed, ...open])`,
    put: `scopesOf([...waiting, ...typed, ...open.slice(open.length)])`,
  },
  {
    name: 'what only one pass of double entry says is no gap',
    file: 'core/review/gaps.ts',
    find: `(saysNothing(ours) && saysNothing(theirs))`,
    put: `(saysNothing(ours) || saysNothing(theirs))`,
  },
  {
    name: 'an answer to a query that was closed is dropped',
    file: 'server/areas/query/change.ts',
    find: `  await addTurn(transaction, {
    key,
    queryId: entityId,
    sort: query.acts + 1,`,
    put: `  if (query.state !== 'closed' || body.act !== 'answer') await addTurn(transaction, {
    key,
    queryId: entityId,
    sort: query.acts + 1,`,
  },
  {
    name: 'an answer is stored twice',
    file: 'server/areas/entry/queries/store.ts',
    find: `  await transaction.query(ADD_TURN(turn))`,
    put: `  await transaction.query(ADD_TURN(turn))
  if (turn.act === 'answer') {
    await transaction.query({ text: 'UPDATE query SET acts = acts + 1 WHERE id = $1', values: [turn.queryId] })
    await transaction.query(ADD_TURN({ ...turn, key: crypto.randomUUID(), sort: turn.sort + 1 }))
  }`,
  },
  {
    name: 'a key of a query that comes again has its effect again',
    file: 'server/http/idempotency.ts',
    find: `if (!(await claimKey(transaction, operation))) return replay<Result>(transaction, operation)`,
    put: `if (!(await claimKey(transaction, operation)) && operation.call !== 'query.act') return replay<Result>(transaction, operation)`,
  },
  {
    name: 'an answer is queued twice',
    file: 'src/data/writes/queryWrites.ts',
    find: `  const queued = await enqueue(context.storage, author, {`,
    put: `  if (said.call === 'query.act')
    await enqueue(context.storage, author, { ...said, scope: text, projectId, centerId, crfVersionId: versionId, pass, entityId: said.body.id, patientId })
  const queued = await enqueue(context.storage, author, {`,
  },
  {
    name: 'what was said in a query is dropped when the query is pulled',
    file: 'offline/sync/pull/again.ts',
    find: `  if (patients.size + entries.size + visits.size + queries.size === 0) return ok(true)`,
    put: `  if (patients.size + entries.size + visits.size + queries.size === 0) return ok(true)
  await storage.run(({ work }) => work.outbox.filter((row) => queries.has(row.entityId) && row.state !== 'sending').delete())`,
  },
  {
    name: 'a pull leaves out the queries that are closed',
    file: 'server/areas/sync/pull.ts',
    find: `      return loadQueryRows(connection, member, ids)`,
    put: `      return (await loadQueryRows(connection, member, ids)).filter(({ state }) => state !== 'closed')`,
  },
  {
    name: 'an act on a query that was closed is folded with the wrong state',
    file: 'server/areas/entry/queries/store.ts',
    find: `        state = $2, acts = acts + 1,`,
    put: `        state = CASE WHEN state = 'closed' THEN state ELSE $2 END, acts = acts + 1,`,
  },
  {
    name: 'an answer is not told in the trail',
    file: 'server/areas/query/change.ts',
    find: `    audit: [audit],`,
    put: `    audit: audit.action === 'query.answer' ? [] : [audit],`,
  },
  {
    name: 'a candidate is asked at once',
    file: 'server/areas/query/change.ts',
    find: `const state = body.isCandidate ? 'candidate' : 'open'`,
    put: `const state = body.id === '' ? 'candidate' : 'open'`,
  },
  {
    name: 'a tablet keeps a candidate',
    file: 'offline/sync/push/bookAnswers.ts',
    find: `if (query?.wasAsked === true) rows.set(`,
    put: `if (query !== null) rows.set(`,
  },
  {
    name: 'a candidate that was rejected counts as asked',
    file: 'server/areas/entry/queries/store.ts',
    find: `asked_at = CASE WHEN $2 = 'open' THEN`,
    put: `asked_at = CASE WHEN $2 <> 'candidate' THEN`,
  },
  {
    name: 'what was said in a query is cut',
    file: 'server/areas/query/change.ts',
    find: `    act: body.act,
    effect,
    state: after,
    text: body.text,`,
    put: `    act: body.act,
    effect,
    state: after,
    text: body.text === null ? null : body.text.slice(0, -1),`,
  },
  {
    name: 'what is written is not followed by its marks',
    file: 'server/areas/entry/store.ts',
    find: `return followReview(transaction, checkedOf(rows))`,
    put: `return rows.length > 0 ? NO_MARK_ROWS : followReview(transaction, checkedOf(rows))`,
  },
  {
    name: 'a changed reason for having no value leaves its mark',
    file: 'server/areas/entry/review/follow.ts',
    find: `content === null || sameContent(content, mark.content) ?`,
    put: `content === null || sameContent({ ...content, missing: mark.content.missing }, mark.content) ?`,
  },
  {
    name: 'a page is not counted again after a change',
    file: 'server/areas/entry/review/follow.ts',
    find: `await writeCounts(transaction, counted)`,
    put: ``,
  },
  {
    name: 'all marks of a page change with one of its values',
    file: 'server/areas/entry/review/follow.ts',
    find: `const marks = facts.marks.map((mark) => ({ mark, now: stateAfter(facts, mark) }))`,
    put: `const isChanged = facts.marks.some((mark) => stateAfter(facts, mark) !== mark.state)
    const marks = facts.marks.map((mark) => ({ mark, now: isChanged ? markAfterChange(mark.state) : mark.state }))`,
  },
  {
    name: 'a value that comes back counts as verified again',
    file: 'server/areas/entry/review/follow.ts',
    find: `sameContent(content, mark.content) ? mark.state : markAfterChange(mark.state)`,
    put: `sameContent(content, mark.content) ? (mark.state === 'changed' ? 'verified' : mark.state) : markAfterChange(mark.state)`,
  },
  {
    name: 'what a rule hides is verified all the same',
    file: 'server/areas/entry/review/follow.ts',
    find: `if (facts.deleted || facts.hidden.includes(addressKey({ table, rid, code }))) return null`,
    put: `if (facts.deleted) return null`,
  },
  {
    name: 'a changed mark of one row is one of all rows',
    file: 'server/areas/entry/review/store.ts',
    find: `AND m.table_prop IS NOT DISTINCT FROM n.table_prop AND m.rid IS NOT DISTINCT FROM n.rid`,
    put: `AND m.table_prop IS NOT DISTINCT FROM n.table_prop`,
  },
  {
    name: 'a page that was deleted is asked for',
    file: 'server/areas/entry/review/due.ts',
    find: `if (facts.deleted) return []`,
    put: ``,
  },
  {
    name: 'a value is verified that nobody has seen',
    file: 'server/areas/review/act.ts',
    find: `else if (!sameContent(seen, content)) refused.push`,
    put: `else if (!sameContent(content, content)) refused.push`,
  },
  {
    name: 'a page is counted as it was before it was verified',
    file: 'server/areas/review/act.ts',
    find: `await writeCounts(transaction, await countsOf(transaction, after))`,
    put: `await writeCounts(transaction, await countsOf(transaction, facts))`,
  },
  {
    name: 'what is verified again keeps the value that was verified before',
    file: 'server/areas/review/store.ts',
    find: `state = excluded.state, content = excluded.content, method`,
    put: `state = excluded.state, method`,
  },
  {
    name: 'a plan that is switched on is worked out for one patient',
    file: 'server/areas/review/planWork.ts',
    find: `(r.counted_to IS NULL OR p.id > r.counted_to)`,
    put: `r.counted_to IS NULL`,
  },
  {
    name: 'a key of a reviewer that comes again has its effect again',
    file: 'server/http/idempotency.ts',
    find: `if (!(await claimKey(transaction, operation))) return replay<Result>(transaction, operation)`,
    put: `if (!(await claimKey(transaction, operation)) && operation.call !== 'review.act') return replay<Result>(transaction, operation)`,
  },
  {
    name: 'a mark that changed with its value is not told in the trail',
    file: 'server/areas/entry/write.ts',
    find: `audit: [...audit, ...marks, ...readers.audit, ...queries.audit],`,
    put: `audit: [...audit, ...marks.slice(marks.length), ...readers.audit, ...queries.audit],`,
  },
]

/**
 * A source with a mistake in it, wherever the formatter breaks its lines.
 *
 * @throws RangeError where the place is not there, or not the only one
 */
export function plant({ name, file, find, put }: PlantedBug, source: string): string {
  const [place, ...more] = source.matchAll(inAnyFormat(find))
  if (place === undefined || more.length > 0) throw new RangeError(`${name}: ${file} has not exactly one such place`)
  return `${source.slice(0, place.index)}${put}${source.slice(place.index + place[0].length)}`
}

/** Code as it may be broken over lines: with any space between its signs, and a comma before what closes a list. */
function inAnyFormat(code: string): RegExp {
  const signs = code.replaceAll(/\s+/g, '').split('')
  const each = signs.map((sign) => `${/[)\]}]/.test(sign) ? ',?\\s*' : ''}${RegExp.escape(sign)}`)
  return new RegExp(each.join('\\s*'), 'g')
}
