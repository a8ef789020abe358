import type { Api } from '#src/session/api.ts'
import { newId } from '#core/ids.ts'
import type { EntryRow, PageRow, PatientRow, ProjectRow, VersionRow } from '#core/api/sync/rows.ts'
import { Journal } from '#offline/draft/journal.ts'
import { putRows } from '#offline/sync/cache.ts'
import { runCycle } from '#offline/sync/cycle.ts'
import type { Pulled } from '#offline/sync/cache.ts'
import type { DataContext } from '#src/data/rows/context.ts'
import { createDevice } from '#src/data/device/device.ts'
import { recoverDrafts } from '#src/data/writes/recovery.ts'
import { Remote } from '#src/data/rows/remote.ts'
import type { Device } from '#src/data/device/device.ts'
import type { Crc } from '#tests/offline/support/tablet.ts'
import {
  CENTER,
  CENTER_SCOPE,
  DEVICE,
  FOLDER,
  PAGE,
  PROJECT,
  VERSION,
  crcAtTablet,
  syncOf,
  valueOf,
} from '#tests/offline/support/tablet.ts'
import { Network } from '#tests/offline/support/network.ts'

/** A tablet with a pulled study, as screens use it. */

const AT = '2026-11-21T08:00:00.000Z'
const option = JSON.stringify({
  column: [
    { prop: 'weight', label: '体重', type: 'number' },
    { prop: 'note', label: '备注', type: 'input' },
  ],
})

export const page: PageRow = { id: PAGE, pageName: '生命体征', pageCode: 'vital', repeatable: false, option, sort: 1 }
export const version: VersionRow = {
  id: VERSION,
  versionNo: 1,
  versionNoDesc: 'V1',
  crfProfile: 'formal',
  crfProfileDesc: '正式版',
  remark: null,
  createdAt: AT,
  folders: [{ id: FOLDER, folderName: '访视1', folderCode: 'V1', sort: 1, pages: [page] }],
}
export const project: ProjectRow = {
  id: PROJECT,
  projectName: '心绞痛研究',
  projectIcon: null,
  projectStatus: 'process',
  projectStatusDesc: '进行中',
  projectScopeCode: 'areamultiple',
  config: { isDouble: 0, isFilterPeriod: 'N', minTesters: 0, numberTemplate: '{SiteCode}-{Seq:000}' },
  role: 'CRC',
  permissions: ['database_submit_page', 'patient_enrol', 'patient_sensitive'],
}

export function patientRow(no: string): PatientRow {
  const identity = { name: '张三', mobile: null, email: null, birthDate: null }
  return {
    id: newId(),
    centerId: CENTER,
    no,
    mark: '0A0A',
    initials: 'ZS',
    sex: 'F',
    enrolledOn: '2026-11-20',
    identity,
    rev: 1,
    deleted: false,
    createdBy: newId(),
    createdAt: AT,
    updatedAt: AT,
  }
}

export function entryRow(id: string, patientId: string, values: EntryRow['values'], rev = 1): EntryRow {
  return {
    id,
    patientId,
    centerId: CENTER,
    folderId: FOLDER,
    folderRepeat: '0',
    pageId: PAGE,
    pageRepeat: '0',
    parentEntryId: null,
    pass: 1,
    versionId: VERSION,
    status: 'process',
    rev,
    values,
    missing: {},
    hidden: [],
    dataHash: 'a'.repeat(64),
    deleted: false,
    conflicts: 0,
    updatedBy: newId(),
    updatedByName: '李四',
    updatedAt: AT,
  }
}

export interface Ward {
  readonly crc: Crc
  readonly network: Network
  readonly device: Device
  readonly context: DataContext
  readonly recovered: Map<string, number>
  pulled(scope: string, rows: readonly Pulled[]): Promise<void>
  sync(): Promise<void>
  /** The app dies and starts again: what was in memory only is gone. */
  crash(): Promise<Ward>
}

/** Nobody asks the server here: a reading that did would fail the test. */
const noServer: Api = {
  call: (id) => Promise.reject(new Error(`asked the server: ${id}`)),
}

export async function ward(): Promise<Ward> {
  const crc = await crcAtTablet()
  const made = await wardOf(crc, new Network())
  await made.pulled(PROJECT, [
    { kind: 'project', id: PROJECT, seq: 1, row: project },
    { kind: 'version', id: VERSION, seq: 2, row: version },
    {
      kind: 'center',
      id: CENTER,
      seq: 3,
      row: {
        id: CENTER,
        centerName: '一院',
        centerCode: '01',
        status: 'active',
        groupSummary: null,
        planEnrolls: null,
        siteNo: null,
        numberTemplate: null,
      },
    },
  ])
  return made
}

async function wardOf(crc: Crc, network: Network): Promise<Ward> {
  const recovered = new Map<string, number>()
  const context: DataContext = {
    storage: crc.storage,
    api: noServer,
    remote: new Remote(() => undefined),
    user: crc.owner,
    deviceId: DEVICE,
    appVersion: 'test',
    vault: () => crc.vault.state,
    ring: () => crc.author.ring,
    author: () => crc.author,
    journal: new Journal(crc.storage, () => crc.author.ring, crc.owner.userId, newId()),
    reachable: () => false,
    signedIn: () => false,
    online: () => false,
    recovered,
    kickSync: () => undefined,
  }
  const device = createDevice({
    context,
    keeper: crc.vault,
    syncNow: () => Promise.resolve({ ok: true, value: true }),
    onOther: () => () => undefined,
  })
  const sync = syncOf(crc, network.fetch)
  for (const [entry, steps] of valueOf(await recoverDrafts(context, () => Promise.resolve(false))))
    recovered.set(entry, steps)
  return {
    crc,
    network,
    device,
    context,
    recovered,
    pulled: async (scope, rows) => {
      const { epoch, scopeVersion } = network
      valueOf(await putRows(sync, scope, rows, epoch))
      await crc.storage.cache.pulls.put({
        scope,
        userId: crc.owner.userId,
        cursor: Math.max(...rows.map(({ seq }) => seq)),
        epoch,
        scopeVersion,
        pulledAt: AT,
      })
    },
    sync: async () => void valueOf(await runCycle(sync)),
    crash: () => wardOf(crc, network),
  }
}

export async function enrolled(at: Ward, no = '01-001'): Promise<PatientRow> {
  const patient = patientRow(no)
  await at.pulled(CENTER_SCOPE, [{ kind: 'patient', id: patient.id, seq: 1, row: patient }])
  return patient
}
