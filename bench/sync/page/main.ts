import * as z from 'zod/mini'
import { edit } from '#src/form/formActions.ts'
import { createFormState } from '#core/form/engine/engine.ts'
import { newId } from '#core/ids.ts'
import type { Result } from '#core/result.ts'
import { deviceIdOf } from '#offline/db/meta.ts'
import { openStorage } from '#offline/db/open.ts'
import { Journal } from '#offline/draft/journal.ts'
import { gzip } from '#offline/net/request.ts'
import { openOperation } from '#offline/outbox/outbox.ts'
import type { KeyRing } from '#offline/vault/codec.ts'
import { Vault } from '#offline/vault/vault.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { createDevice } from '#src/data/device/device.ts'
import { Remote } from '#src/data/rows/remote.ts'
import type { Device } from '#src/data/device/device.ts'
import { Autosave } from '#src/screens/ecrf/page/autosave.ts'
import { createApi } from '#src/session/calls/createApi.ts'

import { filledPage, pageValues, seedRandom, targetOf } from '../study.ts'
import type { StudyIds } from '../study.ts'
import type { SavePair, TabletBench } from '../tabletBench.ts'
import { openFloor } from './floor.ts'

/** Runs in a tab beside the app's, on the same device memory: the app's own data source, without a sync. */

z.config({ jitless: true })

const storage = openStorage()
const vault = new Vault(storage.work)
let opened: { readonly device: Device; readonly ring: () => KeyRing } | null = null

function valueOf<Value, Failure extends { readonly code: string }>(result: Result<Value, Failure>): Value {
  if (!result.ok) throw new Error(result.error.code)
  return result.value
}

function here(): { readonly device: Device; readonly ring: () => KeyRing } {
  if (opened === null) throw new Error('the device is locked')
  return opened
}

function contextOf(deviceId: string, keys: Extract<Vault['state'], { state: 'open' }>): DataContext {
  const { owner } = keys
  const { ring, proof } = keys.keys
  const wire = { fetch, base: '', token: () => null, deviceId, appVersion: 'bench', language: () => 'zh' }
  return {
    storage,
    api: createApi(wire, () => Promise.resolve('lost' as const)),
    remote: new Remote(() => undefined),
    user: owner,
    deviceId,
    appVersion: 'bench',
    vault: () => vault.state,
    ring: () => ring,
    author: () => ({ userId: owner.userId, ring, proof, deviceId, appVersion: 'bench', now: () => new Date() }),
    journal: new Journal(storage, () => ring, owner.userId, newId()),
    reachable: () => false,
    signedIn: () => false,
    online: () => false,
    recovered: new Map(),
    kickSync: () => undefined,
  }
}

/** Shorter than the pause after which the app saves by itself (specification §9). */
const REST_MS = 200

function rest(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, REST_MS)
  })
}

/**
 * One page, filled in by a person who then goes to the next: measures the time that they wait until it is on the disk.
 */
async function savePage(study: StudyIds, patientId: string, page: number, random: () => number): Promise<number> {
  const { device } = here()
  const { projectId } = study
  const view = valueOf(await device.entry(projectId, targetOf(study, patientId, page)))
  const { target, versionId, compiled, otherPages } = view
  if (compiled === null) throw new Error('the page cannot be read')
  const moment = { today: '2026-11-21', now: '2026-11-21 09:00:00' }
  const form = createFormState(compiled, view.data, { moment, readOnly: false, otherPages })
  const autosave = new Autosave(
    form,
    { target, versionId },
    {
      journal: (step, opening) => device.journalEdit(projectId, versionId, target, step, opening),
      journalAnswer: (answer, opening) => device.journalAnswer(projectId, versionId, target, answer, opening),
      letGo: (opening) => device.letGoTyping(target, opening),
      discard: (opening) => device.discardTyping(target, opening),
      prepare: (save) => device.prepareSave(projectId, save),
      save: (save) => device.saveEntry(projectId, save),
      submit: (save) => device.submitEntry(projectId, save),
    },
  )
  for (const [prop, value] of pageValues(random)) {
    edit({ state: form, onEdit: (one) => autosave.edited(one) }, prop, () => form.setValue(prop, value))
  }
  // The journal was written while the person typed, and typing has paused for a moment; the save takes the journal
  // over.
  await device.flushJournal()
  await rest()
  const start = performance.now()
  const saved = await autosave.flush()
  const time = performance.now() - start
  if (!saved) throw new Error('the page was not saved')
  await autosave.close()
  return time
}

const beside: TabletBench = {
  async open(account, password) {
    valueOf(await vault.unlock(account, password))
    if (vault.state.state === 'locked') throw new Error('locked')
    const context = contextOf(await deviceIdOf(storage.work), vault.state)
    opened = {
      device: createDevice({
        context,
        keeper: vault,
        syncNow: () => Promise.resolve({ ok: true, value: true }),
        onOther: () => () => undefined,
      }),
      ring: context.ring,
    }
  },

  async fill(study, patientIds, items, seed) {
    const { device, ring } = here()
    const random = seedRandom(seed)
    for (const patientId of patientIds) {
      for (const page of study.pageIds.keys()) {
        const {
          target,
          items: changes,
          journal,
        } = filledPage(targetOf(study, patientId, page), random, Date.now() - 600_000, items)
        valueOf(
          await device
            .saveEntry(study.projectId, {
              target,
              versionId: study.versionId,
              items: changes,
              rows: [],
              journal,
              seen: null,
              progress: null,
            })
            .then(asResult),
        )
      }
    }
    const rows = await storage.work.outbox.orderBy('seq').toArray()
    const operations = await Promise.all(rows.map((row) => openOperation(ring(), row)))
    const text = JSON.stringify(operations)
    return {
      keys: rows.map(({ key }) => key),
      jsonBytes: new Blob([text]).size,
      gzipBytes: (await gzip(text)).byteLength,
    }
  },

  async save(study, patientId, pages) {
    const random = seedRandom(3)
    const floor = await openFloor()
    const pairs: SavePair[] = []
    for (const page of pages) {
      const ours = await savePage(study, patientId, page, random)
      const row = await storage.work.outbox.where('patientId').equals(patientId).last()
      if (row === undefined) throw new Error('nothing waits')
      const bytes = row.op.data.byteLength
      // After the same pause: a machine that has just been idle is slower than one that has just written.
      await rest()
      pairs.push({ ours, floor: await floor.write({ ...row, key: newId() }), bytes })
    }
    floor.close()
    return pairs
  },
}

type Saved = Awaited<ReturnType<Device['saveEntry']>>

function asResult(saved: Saved): Result<Saved, { readonly code: string }> {
  return saved.ok ? { ok: true, value: saved } : saved
}

Object.assign(globalThis, { beside })
