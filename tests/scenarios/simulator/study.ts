import { createHash } from 'node:crypto'
import { newId } from '#core/ids.ts'
import type { JsonValue } from '#core/json.ts'
import type { GapCheck, GapRow } from '#core/api/calls/review/double.ts'
import type { EntryTarget } from '#core/sync/entryChange.ts'
import { scopeText } from '#core/sync/protocol/scope.ts'
import { commitProject } from '#server/database/commit.ts'
import type { Stamp } from '#server/database/auditDigest.ts'
import { withTransaction } from '#server/database/transaction.ts'
import { OWN_CLIENT, headers } from '#core/api/headers.ts'
import { PLANNED, pagesOf } from './casebook.ts'
import type { Traits } from './casebook.ts'
import { targetOf } from './places.ts'
import type { Places } from './places.ts'
import type { PageOf, PersonName } from './simTablet.ts'
import type { MemberChange } from './steps.ts'
import type { Account, SimServer } from './wards.ts'

/** Who may write at the end of a history, and carries what others left. */
export const CARRIER: PersonName = 'wu'

/**
 * A study on the ward's server: a project of its own for each history, with its people, its pages and those who run it.
 */

const PERSONS: readonly PersonName[] = ['lin', 'wu', 'chen', 'deng', 'monitor']

/** Who does something at a desk, online. */
export type DeskName = 'monitor' | 'manager'

export type Staff = Readonly<Record<PersonName | DeskName | 'admin', Account>>

/** What the server says to somebody at a desk. */
export interface Answer {
  readonly success?: boolean
  readonly data?: JsonValue
  readonly error?: { readonly code: string }
}

/** Accounts of the ward, made once: histories differ in what they are in each project. */
export async function makeStaff(server: SimServer): Promise<Staff> {
  const made = new Map<string, Account>()
  for (const name of [...PERSONS, 'manager', 'admin']) {
    // Every server has an account `admin` of its own.
    const account = {
      userId: newId(),
      account: name === 'admin' ? 'director' : name,
      realName: `${name} (测试)`,
      isAdmin: name === 'admin',
    }
    await server.owner.query(
      `INSERT INTO app_user (id, account, account_key, real_name, password_hash, is_admin) VALUES ($1, $2, $2, $3, 'none', $4)`,
      [account.userId, account.account, account.realName, account.isAdmin],
    )
    made.set(name, account)
  }
  const of = (name: string): Account => {
    const account = made.get(name)
    if (account === undefined) throw new RangeError(name)
    return account
  }
  return {
    lin: of('lin'),
    wu: of('wu'),
    chen: of('chen'),
    deng: of('deng'),
    monitor: of('monitor'),
    manager: of('manager'),
    admin: of('admin'),
  }
}

export class Study implements Places {
  readonly projectId = newId()
  readonly folderId = newId()
  readonly vitalsId = newId()
  readonly eventId = newId()
  readonly therapyId = newId()
  readonly north = newId()
  readonly south = newId()
  readonly pass = 1
  /** Scope of the northern center in the first pass. */
  readonly scope: string
  readonly #server: SimServer
  readonly staff: Staff
  readonly #traits: Traits
  readonly #members = new Map<PersonName, string>()
  #versions = 0
  /** Whose rights are not what they began with. */
  readonly #changed = new Set<PersonName>()
  #admin: string | null = null
  readonly #desks = new Map<DeskName, string>()
  readonly #blocked = new Set<string>()
  readonly #everClosed = new Set<string>()

  private constructor(server: SimServer, staff: Staff, traits: Traits) {
    this.#server = server
    this.staff = staff
    this.#traits = traits
    this.scope = scopeText({ kind: 'center', projectId: this.projectId, centerId: this.north, pass: 1 })
  }

  static async begin(server: SimServer, staff: Staff, traits: Traits): Promise<Study> {
    const study = new Study(server, staff, traits)
    await study.#make()
    return study
  }

  target(page: PageOf): EntryTarget {
    return targetOf(this, page)
  }

  async #make(): Promise<void> {
    const { owner } = this.#server
    const config = JSON.stringify({ isDouble: this.#traits.casebook ? 1 : 0, isFilterPeriod: 'N', minTesters: 1 })
    await owner.query(
      `INSERT INTO project (id, name, status, scope_code, config, created_by) VALUES ($1, '心绞痛研究', 'process', 'areamultiple', $2, $3)`,
      [this.projectId, config, this.staff.admin.userId],
    )
    await owner.query(
      `INSERT INTO center (id, project_id, name, code) VALUES ($1, $3, '北院', 'N01'), ($2, $3, '南院', 'S02')`,
      [this.north, this.south, this.projectId],
    )
    for (const person of PERSONS.filter((name) => name !== 'deng' || this.#traits.casebook)) {
      const memberId = newId()
      this.#members.set(person, memberId)
      const role = person === 'monitor' ? 'CRA' : 'CRC'
      await owner.query(
        `WITH made AS (INSERT INTO member (id, project_id, user_id, role, entry_pass) VALUES ($1, $2, $3, $4, $6))
         INSERT INTO member_center (member_id, center_id) VALUES ($1, $5)`,
        [memberId, this.projectId, this.staff[person].userId, role, this.north, person === 'deng' ? 2 : 1],
      )
    }
    if (this.#traits.reviews)
      await owner.query(
        `INSERT INTO member (id, project_id, user_id, role, type, data_scope) VALUES ($1, $2, $3, 'DBD', 'project', 'all')`,
        [newId(), this.projectId, this.staff.manager.userId],
      )
    const versionId = await this.#addVersion()
    const now = new Date(this.#server.now).toISOString()
    const stamp: Stamp = {
      userId: this.staff.admin.userId,
      userName: this.staff.admin.realName,
      role: 'ADMIN',
      carriedBy: null,
      deviceId: null,
      occurredAt: now,
      occurredOffsetMinutes: null,
      clockDriftMs: null,
      receivedAt: now,
      appVersion: null,
      ip: null,
      call: 'project.save',
      opKey: null,
    }
    const rows = [
      { kind: 'project' as const, rowId: this.projectId },
      { kind: 'center' as const, rowId: this.north },
      { kind: 'center' as const, rowId: this.south },
      { kind: 'version' as const, rowId: versionId },
    ]
    await withTransaction(owner, (transaction) =>
      commitProject(transaction, {
        projectId: this.projectId,
        statuses: ['process'],
        stamp,
        audit: [{ action: 'project.create' }],
        changes: rows.map((row) => ({ ...row, centerId: null, pass: null })),
      }),
    )
  }

  /** A new version is released; pages that are open go on under theirs. */
  async release(): Promise<void> {
    const versionId = await this.#addVersion()
    // Announced with a number that nobody has pulled beyond: that of the next change of the project, which follows at
    // once.
    await this.#server.owner.query(
      `INSERT INTO change (project_id, kind, row_id, seq) SELECT $1, 'version', $2, seq + 1 FROM project WHERE id = $1`,
      [this.projectId, versionId],
    )
    await this.#member('monitor', {})
  }

  async #addVersion(): Promise<string> {
    this.#versions += 1
    const { owner } = this.#server
    const versionId = newId()
    await owner.query(
      `INSERT INTO crf_version (id, project_id, version_no, profile, created_by) VALUES ($1, $2, $3, 'formal', $4)`,
      [versionId, this.projectId, this.#versions, this.staff.admin.userId],
    )
    await owner.query(
      `WITH folder AS (INSERT INTO crf_folder (version_id, folder_id, name, code, sort, schedule) VALUES ($1, $2, '基线', 'V1', 1, $4) RETURNING version_id, folder_id)
       INSERT INTO crf_page (version_id, page_id, folder_id, name, code, repeatable, sort, option)
       SELECT f.version_id, p.id, f.folder_id, p.name, p.code, p.repeatable, p.sort, p.option
       FROM folder f, jsonb_to_recordset($3) AS p (id uuid, name text, code text, repeatable boolean, sort integer, option text)`,
      [
        versionId,
        this.folderId,
        JSON.stringify(pagesOf(this, this.#versions, this.#traits)),
        this.#traits.casebook ? JSON.stringify(PLANNED) : null,
      ],
    )
    return versionId
  }

  async status(status: 'process' | 'stop' | 'close'): Promise<boolean> {
    return this.#asAdmin('POST', `/api/edc/project/changeStatus?projectId=${this.projectId}&status=${status}`, null)
  }

  /** A data manager freezes, locks or opens a page. */
  async control(entryId: string, control: 'open' | 'frozen' | 'locked'): Promise<void> {
    if (control !== 'open') this.#everClosed.add(entryId)
    await this.#server.owner.query('UPDATE entry SET control = $2 WHERE id = $1', [entryId, control])
  }

  /** Entries that were ever frozen or locked: what other pages said meanwhile has passed them by. */
  get everClosed(): ReadonlySet<string> {
    return this.#everClosed
  }

  async member(person: PersonName, change: MemberChange): Promise<boolean> {
    const changes = {
      pause: { status: 'pause' },
      role: { userRole: 'CRA' },
      center: { centerIds: [this.south] },
      self: { dataScope: 'self' },
      back: {},
    }
    // A change of rights lets every tablet of theirs compare all that it has, which would heal what the tablet had
    // missed.
    if (change === 'back' && !this.#changed.has(person)) return true
    // Whether a change was made whose answer was lost, nobody knows.
    if (change !== 'back') this.#changed.add(person)
    const done = await this.#member(person, changes[change])
    if (done && change === 'back') this.#changed.delete(person)
    return done
  }

  /** Blocks a tablet, or lets it go on. Gives false where the server does not know it yet. */
  block(deviceId: string, blocked: boolean): Promise<boolean> {
    if (blocked) this.#blocked.add(deviceId)
    else this.#blocked.delete(deviceId)
    return this.#asAdmin('POST', `/api/edc/sync/device/${deviceId}/block`, {
      projectId: this.projectId,
      blocked,
      reason: '模拟',
    })
  }

  async endSessions(person: PersonName): Promise<void> {
    await this.#server.owner.query('UPDATE session SET ended_at = $2 WHERE user_id = $1 AND ended_at IS NULL', [
      this.staff[person].userId,
      new Date(this.#server.now).toISOString(),
    ])
  }

  async account(person: PersonName, status: 'active' | 'disabled'): Promise<void> {
    await this.#server.owner.query('UPDATE app_user SET status = $2 WHERE id = $1', [this.staff[person].userId, status])
    if (status === 'disabled') await this.endSessions(person)
  }

  /** Every account and every tablet may be used again: what is left behind is carried in the end. */
  async letAllIn(): Promise<void> {
    for (const person of PERSONS) await this.account(person, 'active')
    for (const deviceId of this.#blocked) await this.block(deviceId, false)
  }

  async #member(person: PersonName, changes: Readonly<Record<string, unknown>>): Promise<boolean> {
    return this.#asAdmin('POST', '/api/edc/project/mem/update', {
      id: this.#members.get(person),
      projectId: this.projectId,
      userRole: person === 'monitor' ? 'CRA' : 'CRC',
      type: 'center',
      dataScope: 'center',
      centerIds: [this.north],
      entryPass: 1,
      crfApprove: 0,
      status: 'active',
      ...changes,
    })
  }

  /** Sessions end with a restored backup: then those at a desk sign in again. */
  signOutDesks(): void {
    this.#admin = null
    this.#desks.clear()
  }

  /** The monitor does something online, under the newest version. */
  async callAsMonitor(path: string, body: object): Promise<boolean> {
    return (await this.callAtDesk('monitor', path, body, newId()))?.success === true
  }

  /** Somebody at a desk does something online, under the newest version. Null where the server ended in it. */
  async callAtDesk(desk: DeskName, path: string, body: object, key: string): Promise<Answer | null> {
    const token = this.#desks.get(desk) ?? (await this.#server.token(this.staff[desk], null))
    this.#desks.set(desk, token)
    const [version] = await this.#server.rows<{ id: string }>(
      'SELECT id FROM crf_version WHERE project_id = $1 ORDER BY version_no DESC LIMIT 1',
      [this.projectId],
    )
    const more = { [headers.crfId]: version?.id ?? '', [headers.idempotencyKey]: key }
    const answer = await this.#ask(token, 'POST', path, body, more)
    if (answer?.success !== true) this.#desks.delete(desk)
    return answer
  }

  /** Enrols a patient online, as somebody at a desk would. Gives the id. */
  async enrol(count: number): Promise<string> {
    const id = newId()
    const token = await this.#server.token(this.staff.wu, null)
    const body = {
      id,
      projectId: this.projectId,
      centerId: this.north,
      no: null,
      mark: id.slice(-4).toUpperCase(),
      initials: `S${count}`,
      sex: 'F',
      enrolledOn: '2026-11-20',
      identity: { name: `在册${count}`, mobile: null, email: null, birthDate: null },
    }
    const enrolled = await this.#call(token, 'POST', '/api/edc/project/patient/save', body)
    if (!enrolled) throw new Error('the study could not be set up')
    return id
  }

  /** Where a person's work lies: in the pass that they enter. */
  placesOf(person: PersonName | null): Places {
    const { projectId, folderId, vitalsId, eventId, therapyId, north, scope } = this
    const places = { projectId, folderId, vitalsId, eventId, therapyId, north }
    if (person !== 'deng') return { ...places, pass: 1, scope }
    return { ...places, pass: 2, scope: scopeText({ kind: 'center', projectId, centerId: north, pass: 2 }) }
  }

  /** What the two passes of a patient say differently, as whoever compares them is told; null where nobody is. */
  async gaps(patientId: string): Promise<readonly Pick<GapRow, 'entryId' | 'table' | 'code'>[] | null> {
    this.#admin ??= await this.#server.token(this.staff.admin, null)
    const answer = await this.#server.door(
      this.#request(this.#admin, 'POST', `/api/edc/data/crf/patient/${patientId}/data/gap/check`, {}),
    )
    const { data } = (await answer.json()) as { readonly data?: GapCheck | null }
    return data?.gaps ?? null
  }

  /**
   * What a file's content is by its hash, as the server gives it to whoever sees both passes; null where it does not.
   */
  async contentHash(fileId: string): Promise<string | null> {
    this.#admin ??= await this.#server.token(this.staff.admin, null)
    try {
      const answer = await this.#server.door(
        this.#request(this.#admin, 'GET', `/api/edc/data/page/attach/${fileId}/content`, null),
      )
      if (answer.status !== 200 || answer.headers.get('content-type') === 'application/json; charset=utf-8') return null
      return createHash('sha256')
        .update(new Uint8Array(await answer.arrayBuffer()))
        .digest('hex')
    } catch {
      return null
    }
  }

  async #asAdmin(method: string, path: string, body: object | null): Promise<boolean> {
    this.#admin ??= await this.#server.token(this.staff.admin, null)
    return this.#call(this.#admin, method, path, body)
  }

  async #call(token: string, method: string, path: string, body: object | null): Promise<boolean> {
    return (await this.#ask(token, method, path, body))?.success === true
  }

  async #ask(
    token: string,
    method: string,
    path: string,
    body: object | null,
    more: Readonly<Record<string, string>> = {},
  ): Promise<Answer | null> {
    const plain = this.#request(token, method, path, body)
    const sent = { ...plain, headers: { ...plain.headers, ...more } }
    try {
      const answer = await this.#server.door(sent)
      return (await answer.json()) as Answer
    } catch {
      // The server ended in the middle of it.
      return null
    }
  }

  #request(token: string, method: string, path: string, body: object | null) {
    return {
      method,
      path,
      headers: {
        [headers.client]: `Basic ${btoa(`${OWN_CLIENT.id}:${OWN_CLIENT.secret}`)}`,
        [headers.token]: `bearer ${token}`,
        [headers.projectId]: this.projectId,
        [headers.idempotencyKey]: newId(),
        [headers.protocol]: '1',
        ...(body === null ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === null ? null : new TextEncoder().encode(JSON.stringify(body)),
    }
  }
}
