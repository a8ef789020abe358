import { headers } from '#core/api/headers.ts'
import { newId } from '#core/ids.ts'

import type { Stage } from './stage.ts'

/** Calls as a tablet makes them, without the app. */

const DEVICE = newId()

/** What a tablet says of itself with each call. */
export function tabletHeaders({ study }: Pick<Stage, 'study'>): Readonly<Record<string, string>> {
  // Requests are limited by address: each names one of its own, as a hospital's proxy would.
  const address = `10.0.${Math.floor(Math.random() * 250)}.${Math.floor(Math.random() * 250)}`
  return {
    [headers.projectId]: study.projectId,
    [headers.crfId]: study.versionId,
    [headers.deviceId]: DEVICE,
    [headers.protocol]: '1',
    'X-Forwarded-For': address,
  }
}

/** Enrols a patient of the center. Returns the patient's id. */
export async function enrolPatient(stage: Stage): Promise<string> {
  const { study, coordinator } = stage
  const id = newId()
  await coordinator.api.call('patient.save', {
    body: {
      id,
      projectId: study.projectId,
      centerId: study.centerId,
      no: null,
      mark: '7F3A',
      initials: 'ZS',
      sex: 'F',
      enrolledOn: '2026-03-01',
      identity: { name: '张三', mobile: '13800000000', email: null, birthDate: '1960-02-29' },
    },
    more: tabletHeaders(stage),
  })
  return id
}
