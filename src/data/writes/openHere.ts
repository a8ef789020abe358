import type { ApiError } from '#core/api/errors.ts'
import { err, ok } from '#core/result.ts'
import type { Result } from '#core/result.ts'
import { scopeText, scopesFor } from '#core/sync/protocol/scope.ts'
import { noteOpened } from '#offline/sync/pull/opened.ts'
import type { DataContext, SyncNow } from '#src/data/rows/context.ts'
import { centersHere, isHere } from '#src/data/rows/local.ts'
import type { CasebookPatient, OpenedHere } from '#src/data/shapes/scopeTypes.ts'

import type { ScopeKeeper } from './scopes.ts'

/**
 * Brings a patient onto this device because somebody who may enter data looks at them
 * (docs/adr/0038-opened-patients.md): the project's common scope and, of the center, only the opened patients. From
 * then on they are read and entered here like patients of a kept center.
 */

/** Patients who are being brought: a second request for the same patient gets the same promise. */
export class Opener {
  readonly #context: DataContext
  readonly #keeper: ScopeKeeper
  readonly #syncNow: SyncNow
  readonly #underWay = new Map<string, Promise<Result<OpenedHere, ApiError>>>()

  constructor(context: DataContext, keeper: ScopeKeeper, syncNow: SyncNow) {
    this.#context = context
    this.#keeper = keeper
    this.#syncNow = syncNow
  }

  /** Resolves when the patient is here, with all that their pages need. */
  open(projectId: string, patient: CasebookPatient): Promise<Result<OpenedHere, ApiError>> {
    const opening =
      this.#underWay.get(patient.id) ?? this.#open(projectId, patient).finally(() => this.#underWay.delete(patient.id))
    this.#underWay.set(patient.id, opening)
    return opening
  }

  /**
   * Prepares a center so that single patients can be opened and enrolled here. A center that is here already stays as
   * it is.
   */
  async center(
    projectId: string,
    { centerId, pass }: Pick<CasebookPatient, 'centerId' | 'pass'>,
  ): Promise<Result<OpenedHere, ApiError>> {
    const { api, storage, user, deviceId, ring, vault } = this.#context
    if (vault().state === 'locked') return err({ code: 'vault_locked' })
    const center = scopeText({ kind: 'center', projectId, centerId, pass })
    const scopes = scopesFor(center)
    const known = await storage.run(async ({ work }) =>
      (await work.kept.bulkGet(scopes.map((scope): [string, string] => [scope, user.userId]))).filter(
        (row) => row !== undefined,
      ),
    )
    if (!known.ok) return known
    if (known.value.length === scopes.length && scopes.every((scope) => ring().has(scope))) return ok('here')
    const given = await api.call('sync.keys', { body: { deviceId, scopes: [...scopes] } })
    if (!given.ok) return given
    const granted = new Set(given.value.scopes.map(({ scope }) => scope))
    if (given.value.withheld?.includes(center) === true) return ok('withheld')
    if (!scopes.every((scope) => granted.has(scope))) return err({ code: 'forbidden' })
    // Keys first, as for a kept center.
    const stored = await storage.run(async ({ work }) => {
      await this.#keeper.addKeys(user.userId, given.value)
      const since = new Date().toISOString()
      await work.transaction('rw', work.kept, async () => {
        for (const scope of scopes) {
          if ((await work.kept.get([scope, user.userId])) !== undefined) continue
          await work.kept.put({ scope, userId: user.userId, since, ...(scope === center ? { light: 1 } : {}) })
        }
      })
    })
    return stored.ok ? ok('here') : stored
  }

  async #open(projectId: string, patient: CasebookPatient): Promise<Result<OpenedHere, ApiError>> {
    const { storage, user, ring } = this.#context
    const { id: patientId, centerId, pass } = patient
    const center = await this.center(projectId, patient)
    if (!center.ok || center.value === 'withheld') return center
    const scope = scopeText({ kind: 'center', projectId, centerId, pass })
    const noted = await storage.run(async ({ work, cache }) => {
      // Where the whole center is kept, the patient is already being downloaded.
      if ((await work.kept.get([scope, user.userId]))?.light === 1)
        await noteOpened(cache, ring(), { scope, userId: user.userId, patientId, at: Date.now() })
    })
    if (!noted.ok) return noted
    const synced = await this.#syncNow()
    const here = await storage.run(() => this.#isHere(projectId, scope, patientId))
    if (!here.ok) return here
    if (here.value) return ok('here')
    // The download of a whole center takes as long as it takes.
    return synced.ok ? err({ code: 'not_found' }) : synced
  }

  async #isHere(projectId: string, scope: string, patientId: string): Promise<boolean> {
    const center = (await centersHere(this.#context, projectId)).find(({ text }) => text === scope)
    return center !== undefined && isHere(center, patientId)
  }
}
