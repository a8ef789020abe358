import { Dexie } from 'dexie'
import type { DexieOptions, Table } from 'dexie'

import { adoptOlder } from './adopt.ts'
import { whileOpening } from './opening.ts'
import type {
  BouncedRow,
  CacheRow,
  CasebookRow,
  ComparedRow,
  CursorRow,
  DesignRow,
  DirectoryRow,
  DraftRow,
  EvictedRow,
  FilePieceRow,
  FileRow,
  KeptRow,
  LeaseRow,
  MetaRow,
  OpenedRow,
  OutboxRow,
  PackRow,
  ReceiptRow,
  ReserveRow,
  TouchedRow,
  UatRow,
  UnlistedRow,
  VaultRow,
} from './rows.ts'

/**
 * The two databases of a device. A schema only grows (new tables, new indexes), so that an older app can open a newer
 * database.
 */

/** Live queries read from the disk: Dexie would not know which of its cached copies a direct write has made old. */
const FROM_DISK: DexieOptions = { cache: 'disabled' }

/**
 * What people entered, and what that needs. Strict durability: a resolved write survives a sudden power loss. Never
 * dropped by code.
 */
export class WorkDb extends Dexie {
  readonly meta!: Table<MetaRow, string>
  readonly vault!: Table<VaultRow, string>
  readonly kept!: Table<KeptRow, [string, string]>
  readonly outbox!: Table<OutboxRow, string>
  readonly drafts!: Table<DraftRow, string>
  readonly receipts!: Table<ReceiptRow, string>
  readonly leases!: Table<LeaseRow, string>
  readonly bounced!: Table<BouncedRow, string>
  readonly files!: Table<FileRow, string>
  readonly filePieces!: Table<FilePieceRow, [string, number]>
  readonly designs!: Table<DesignRow, [string, string]>
  readonly trials!: Table<UatRow, [string, string, number]>

  constructor(name = 'zhenglu-work', options: DexieOptions = {}) {
    super(name, { ...FROM_DISK, ...options, chromeTransactionDurability: 'strict' })
    this.version(1).stores({
      meta: 'key',
      vault: 'userId, account',
      kept: '[scope+userId], userId, scope',
      outbox: 'key, seq, state, scope, entityId, patientId',
      drafts: 'id, entryId, patientId, author, scope',
      receipts: 'key, scope, entityId, receivedAt, outcome',
      leases: 'centerId, scope',
    })
    this.version(2).stores({ bounced: 'entityId, patientId' })
    // Due rows are looked for every other second, so the index must find them without reading the waiting ones.
    this.version(3).stores({ outbox: 'key, seq, state, scope, entityId, patientId, [state+nextAt]' })
    this.version(4).stores({ files: 'id, entryId, patientId, scope, state, [state+nextAt]', filePieces: '[id+n], id' })
    this.version(5).stores({ designs: '[versionId+userId], userId' })
    this.version(6).stores({ trials: '[versionId+userId+subject], [versionId+userId], userId' })
  }
}

/** A copy of what the server holds: dropped when storage runs short, and pulled again. */
export class CacheDb extends Dexie {
  readonly rows!: Table<CacheRow, [string, string, string]>
  readonly packs!: Table<PackRow, [string, string, string]>
  readonly casebooks!: Table<CasebookRow, [string, string]>
  readonly directories!: Table<DirectoryRow, [string, string, number]>
  readonly unlisted!: Table<UnlistedRow, number>
  readonly pulls!: Table<CursorRow, [string, string]>
  readonly compared!: Table<ComparedRow, number>
  readonly evicted!: Table<EvictedRow, [string, string, string]>
  readonly touched!: Table<TouchedRow, string>
  readonly opened!: Table<OpenedRow, [string, string, string]>
  readonly reserve!: Table<ReserveRow, number>

  constructor(name = 'zhenglu-cache', options: DexieOptions = {}) {
    super(name, { ...FROM_DISK, ...options, chromeTransactionDurability: 'relaxed' })
    this.version(1).stores({
      rows: '[scope+kind+id], [scope+kind], [kind+id], [kind+parent], scope',
      cursors: '[scope+userId], userId, scope',
    })
    this.version(2).stores({
      compared: '++at, [scope+userId], scope',
      evicted: '[scope+patientId+view], scope, patientId',
      touched: 'patientId, at',
      reserve: 'id',
    })
    // Older rows have no marks beside them, so everything is fetched once more.
    this.version(3)
      .stores({
        marks: '[scope+id], [scope+patientId], [scope+todo], scope',
        directories: '[scope+userId+part], [scope+userId], userId, scope, upTo',
        unlisted: '++n',
      })
      .upgrade((transaction) => transaction.table('cursors').clear())
    // What is to be done is found in the order of patients, because a list needs only the first of them. An older app
    // searches as before.
    this.version(4).stores({ marks: '[scope+id], [scope+patientId], [scope+todo], [scope+todo+patientId], scope' })
    // Entries that come together are stored together (docs/adr/0039-first-download.md). How far pulls have come is kept
    // in a table that an older app does not know: such an app cannot read packs, and fetches everything for itself.
    this.version(5).stores({
      packs: '[scope+patientId+id]',
      casebooks: '[scope+patientId], patientId, *todo',
      pulls: '[scope+userId], userId, scope',
    })
    // Opened patients of centers that are not kept (docs/adr/0038-opened-patients.md).
    this.version(6).stores({ opened: '[scope+userId+patientId], [scope+userId], userId, scope' })
    whileOpening(this, () => adoptOlder(this))
  }
}

export interface Databases {
  readonly work: WorkDb
  readonly cache: CacheDb
}
