import type { ProjectRow } from '#core/api/sync/rows.ts'
import type { SyncState } from '#src/data/shapes/types.ts'

/** A project as a screen reads it, with what a test says about it. */
export function projectRow(facts: Partial<ProjectRow> = {}): ProjectRow {
  return {
    id: '0190a000-0000-7000-8000-000000000001',
    projectName: '通心络治疗稳定型心绞痛',
    projectIcon: null,
    projectStatus: 'process',
    projectStatusDesc: '进行中',
    projectScopeCode: 'areamultiple',
    config: { isDouble: 0, isFilterPeriod: 'N', minTesters: 0, numberTemplate: '{SiteCode}-{Seq:000}' },
    role: 'CRC',
    permissions: [],
    ...facts,
  }
}

/** Connection and sync as a screen reads them: everything sent, unless a test says otherwise. */
export function syncState(facts: Partial<SyncState> = {}): SyncState {
  return {
    reachable: true,
    lastContact: null,
    driftMs: null,
    syncing: false,
    unsent: 0,
    oldestUnsent: null,
    attention: 0,
    unexplained: 0,
    paused: null,
    storage: null,
    evicted: 0,
    ...facts,
  }
}
