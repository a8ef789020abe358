import type { QueryPlace } from '#core/review/queryThread.ts'
import type { CallId, CallOf } from '#core/api/table.ts'
import type { ProjectRole } from '#core/access/permissions.ts'
import { hashPassword } from '#server/areas/auth/password.ts'
import type { Device } from '#src/data/device/device.ts'
import type { QueryView } from '#src/data/shapes/queryTypes.ts'
import type { AnswerOf, CallInput } from '#src/session/api.ts'
import { valueOf } from '#tests/offline/support/tablet.ts'
import type { Server } from '#tests/scenarios/support/ward.ts'
import { PASSWORD, Tablet } from '#tests/scenarios/support/ward.ts'
import type { Person } from '#tests/server/support/world.ts'
import { addMember } from '#tests/server/support/world.ts'

import { centerId, patientId, placeOf } from './casebook.ts'
import type { CenterCode } from './casebook.ts'

/**
 * Who works on the study: coordinators at tablets that keep their center, and at desks a monitor of two of the three
 * centers, a data manager and a project manager of all.
 */

export const PEOPLE = {
  lin: { role: 'CRC', centers: 'N' },
  wu: { role: 'CRC', centers: 'N' },
  south: { role: 'CRC', centers: 'S' },
  xu: { role: 'CRC', centers: 'E' },
  zheng: { role: 'CRA', centers: 'NS' },
  qian: { role: 'DBD', centers: 'NSE' },
  sun: { role: 'PM', centers: 'NSE' },
} as const satisfies Readonly<Record<string, { readonly role: ProjectRole; readonly centers: string }>>

export type Name = keyof typeof PEOPLE

const CODES: readonly CenterCode[] = ['N', 'S', 'E']

/** Members that the world does not have, with their password. Gives who enters at each center. */
export async function addPeople({ world }: Server): Promise<Readonly<Record<CenterCode, Person>>> {
  const { services, study, people } = world
  const made = new Map<string, Person>()
  for (const name of ['xu', 'zheng', 'qian', 'sun'] as const) {
    const { role, centers } = PEOPLE[name]
    const ids = CODES.filter((code) => centers.includes(code)).map((code) => centerId(world, code))
    made.set(name, await addMember(services, study, name, role, ids))
  }
  await services.pool.query(`UPDATE app_user SET password_hash = $1 WHERE password_hash = 'none'`, [
    await hashPassword(PASSWORD),
  ])
  const east = made.get('xu')
  if (east === undefined) throw new Error('nobody enters in the east')
  await services.pool.query('INSERT INTO device (id, last_user_id) VALUES ($1, $2)', [east.deviceId, east.userId])
  await services.pool.query('INSERT INTO device_user (device_id, user_id) VALUES ($1, $2)', [
    east.deviceId,
    east.userId,
  ])
  return { N: people.lin, S: people.south, E: east }
}

/** Everybody at work, each at a device of their own. */
export class Team {
  readonly #server: Server
  readonly #tablets = new Map<Name, Tablet>()
  /** Everything that the server has answered to somebody. */
  readonly #told = new Map<Name, string[]>()

  private constructor(server: Server) {
    this.#server = server
  }

  static async atWork(server: Server): Promise<Team> {
    const team = new Team(server)
    for (const name of Object.keys(PEOPLE) as Name[]) {
      const tablet = await Tablet.unpacked(server)
      const told: string[] = []
      tablet.interpose(async (request, arrive) => {
        const answer = await arrive(request)
        told.push(await answer.clone().text())
        return answer
      })
      team.#tablets.set(name, tablet)
      team.#told.set(name, told)
    }
    return team
  }

  /** Signs everybody in: who enters keeps their center on the tablet, the others only look. */
  async signIn(): Promise<void> {
    for (const [name, tablet] of this.#tablets) {
      const { role, centers } = PEOPLE[name]
      if (role === 'CRC') await tablet.signIn(name, { centerId: centerId(this.#server.world, centers) })
      else await tablet.signInToLook(name)
    }
  }

  tablet(name: Name): Tablet {
    const tablet = this.#tablets.get(name)
    if (tablet === undefined) throw new Error(`${name} has no tablet`)
    return tablet
  }

  told(name: Name): readonly string[] {
    return this.#told.get(name) ?? []
  }

  get projectId(): string {
    return this.#server.world.study.projectId
  }

  center(code: CenterCode): string {
    return centerId(this.#server.world, code)
  }

  /** What the server answers to a call from somebody's device. */
  async ask<Id extends CallId>(who: Name, id: Id, input: CallInput<CallOf<Id>>): Promise<AnswerOf<CallOf<Id>>> {
    return valueOf(await this.tablet(who).api.call(id, { projectId: this.projectId, ...input }))
  }

  /** The code with which the server refuses a call; null where it does not. */
  async refusal<Id extends CallId>(who: Name, id: Id, input: CallInput<CallOf<Id>>): Promise<string | null> {
    const answer = await this.tablet(who).api.call(id, { projectId: this.projectId, ...input })
    return answer.ok ? null : answer.error.code
  }

  /** The queries about a patient as somebody's screen shows them, the oldest first. */
  async queriesOf(who: Name, patient: string): Promise<readonly QueryView[]> {
    return valueOf(await this.lookAnew(who).patientQueries(this.projectId, patient)).toReversed()
  }

  /** Somebody's screen, opened anew: a desk shows nothing that it had read before. */
  lookAnew(who: Name): Device {
    const { device } = this.tablet(who)
    if (PEOPLE[who].role !== 'CRC') device.readAgain()
    return device
  }

  /** The one query about a place, as somebody's screen shows it. */
  async query(who: Name, about: string): Promise<QueryView> {
    const place = placeOf(about)
    const found = (await this.queriesOf(who, place.patientId)).filter(({ query }) => isSamePlace(query.place, place))
    const [only] = found
    if (only === undefined || found.length > 1) throw new Error(`${who} sees ${found.length} queries about ${about}`)
    return only
  }

  patient(center: CenterCode, no: number): string {
    return patientId(center, no)
  }
}

function isSamePlace(one: QueryPlace, other: QueryPlace): boolean {
  return (
    one.folderId === other.folderId && one.pageId === other.pageId && one.rid === other.rid && one.code === other.code
  )
}
