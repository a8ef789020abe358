import type { DataContext, SyncNow } from '#src/data/rows/context.ts'
import { Opener } from '#src/data/writes/openHere.ts'
import type { ScopeKeeper } from '#src/data/writes/scopes.ts'
import { DraftPlaces } from '#src/data/writes/writes.ts'

import { makeAttentionData } from './attention.ts'
import type { AttentionData } from './attention.ts'
import { makeDesignData } from './designs.ts'
import type { DesignData } from './designs.ts'
import { makeFileData } from './files.ts'
import type { FileData } from './files.ts'
import { makeListData } from './lists.ts'
import type { ListData } from './lists.ts'
import { makePageData } from './pages.ts'
import type { PageData } from './pages.ts'
import { makePatientData } from './patients.ts'
import type { PatientData } from './patients.ts'
import { makeProjectData } from './projects.ts'
import type { ProjectData } from './projects.ts'
import { makeQueryData } from './queries.ts'
import type { QueryData } from './queries.ts'
import { makeScopeData } from './scopes.ts'
import type { ScopeData } from './scopes.ts'
import { makeSyncData } from './sync.ts'
import type { SyncData } from './sync.ts'
import { Typing } from './typing.ts'
import { makeWatching } from './watching.ts'
import type { OnOther, Watching } from './watching.ts'

/**
 * The data of an open session, grouped by task. Each reading chooses between the device and the server; every write is
 * durable on this device before it resolves.
 */
export interface Device
  extends
    ProjectData,
    ListData,
    PatientData,
    PageData,
    FileData,
    AttentionData,
    QueryData,
    ScopeData,
    SyncData,
    DesignData,
    Watching {}

export interface DeviceParts {
  readonly context: DataContext
  readonly keeper: ScopeKeeper
  readonly syncNow: SyncNow
  readonly onOther: OnOther
}

export function createDevice({ context, keeper, syncNow, onOther }: DeviceParts): Device {
  const places = new DraftPlaces(context)
  const typing = new Typing(context, places)
  const opener = new Opener(context, keeper, syncNow)
  return {
    ...makeProjectData(context),
    ...makeListData(context),
    ...makePatientData(context, places, opener, syncNow),
    ...makePageData(context, places, typing),
    ...makeFileData(context, places, opener),
    ...makeAttentionData(context),
    ...makeQueryData(context, places),
    ...makeScopeData(context, keeper),
    ...makeSyncData(context, typing, syncNow),
    ...makeDesignData(context),
    ...makeWatching(context, onOther),
  }
}
