import type { ApiError } from '#core/api/errors.ts'
import { newId } from '#core/ids.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { enqueue } from '#offline/outbox/outbox.ts'
import type { Along, Author } from '#offline/outbox/outbox.ts'
import { takeNumber } from '#offline/sync/leases.ts'
import { noteOpened } from '#offline/sync/pull/opened.ts'
import type { DataContext, SyncNow } from '#src/data/rows/context.ts'
import { centersHere, localPatient } from '#src/data/rows/local.ts'
import type { CenterScope } from '#src/data/rows/local.ts'
import { readProject } from '#src/data/rows/readProjects.ts'
import type { EnrolInput, Enrolled } from '#src/data/shapes/types.ts'

import type { Opener } from './openHere.ts'

/** Enrols patients: durable on this device when it resolves, with a number from the center's leased block. */

/** How often an enrolment takes another number because another tab took the same one. */
const NUMBER_ATTEMPTS = 5
/** How long to wait for a number from the server, where this device has no number left for the center. */
const NUMBER_WAIT_MS = 8000

/**
 * Enrols a patient. A center that is not kept is opened first, which needs the network; the server then gives the
 * number.
 */
export async function enrol(
  context: DataContext,
  opener: Opener,
  syncNow: SyncNow,
  input: EnrolInput,
): Promise<Result<Enrolled, ApiError>> {
  if (context.author() === null) return err({ code: 'vault_locked' })
  const scope = await centerFor(context, opener, input)
  if (!scope.ok) return scope
  // Reads the author again: the keys may have arrived a moment ago.
  const author = context.author()
  if (author === null) return err({ code: 'vault_locked' })
  const { text, opened } = scope.value
  for (let tried = 0; tried < NUMBER_ATTEMPTS; tried += 1) {
    const number = await takeNumber(context.storage, author.ring, text, input.centerId)
    if (!number.ok) return number
    const taken = number.value
    const enrolled = await enrolAs(
      context,
      author,
      input,
      scope.value,
      taken?.no ?? null,
      taken === null ? {} : { lease: taken },
    )
    if (enrolled.ok && enrolled.value.no === null && opened !== null && context.online())
      return awaitNumber(context, syncNow, enrolled.value)
    if (enrolled.ok || enrolled.error.code !== 'revision_changed') return enrolled
  }
  return err({ code: 'busy' })
}

/** The center's scope as it is here; opened where it is not here and the server can be asked. */
async function centerFor(
  context: DataContext,
  opener: Opener,
  { projectId, centerId }: EnrolInput,
): Promise<Result<CenterScope, ApiError>> {
  const find = () =>
    context.storage.run(async () => (await centersHere(context, projectId)).find((one) => one.centerId === centerId))
  const known = await find()
  if (!known.ok) return known
  if (known.value !== undefined) return ok(known.value)
  if (!context.online()) return err({ code: 'not_kept' })
  const project = await readProject(context, projectId)
  if (!project.ok) return project
  const made = await opener.center(projectId, { centerId, pass: project.value.pass ?? 1 })
  if (!made.ok) return made
  const now = await find()
  if (!now.ok) return now
  return now.value === undefined ? err({ code: 'forbidden' }) : ok(now.value)
}

async function enrolAs(
  context: DataContext,
  author: Author,
  input: EnrolInput,
  scope: CenterScope,
  no: string | null,
  along: Along,
): Promise<Result<Enrolled, ApiError>> {
  const { projectId, centerId, initials, sex, enrolledOn, identity } = input
  const id = newId()
  // The last digits of a UUIDv7 are random: two tablets seldom show the same mark, and nothing depends on it.
  const mark = id.slice(-4).toUpperCase()
  if (scope.opened !== null) {
    // Before the enrolment: a patient who was enrolled here but is not on the list could not be found again.
    const { userId } = context.user
    const noted = await context.storage.run(({ cache }) =>
      noteOpened(cache, author.ring, { scope: scope.text, userId, patientId: id, at: Date.now(), isNew: true }),
    )
    if (!noted.ok) return noted
  }
  const queued = await enqueue(
    context.storage,
    author,
    {
      call: 'patient.save',
      scope: scope.text,
      projectId,
      centerId,
      crfVersionId: null,
      pass: scope.pass,
      entityId: id,
      patientId: id,
      body: { id, projectId, centerId, no, mark, initials, sex, enrolledOn, identity },
    },
    along,
  )
  if (!queued.ok) return queued
  context.kickSync()
  return ok({ patientId: id, no })
}

/** The same, with a number from the server, if it answers soon. */
async function awaitNumber(
  context: DataContext,
  syncNow: SyncNow,
  enrolled: Enrolled,
): Promise<Result<Enrolled, ApiError>> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, NUMBER_WAIT_MS)
  })
  await Promise.race([syncNow(), late])
  clearTimeout(timer)
  const patient = await context.storage.run(() => localPatient(context, enrolled.patientId))
  return ok({ ...enrolled, no: patient.ok ? (patient.value?.no ?? null) : null })
}
