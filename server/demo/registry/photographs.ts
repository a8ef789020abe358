import { createHash } from 'node:crypto'
import { entryId } from '#core/derivedIds.ts'
import { valueText } from '#core/form/definition/value.ts'
import type { FileReference } from '#core/files/reference.ts'
import { finishUpload, startUpload, takePiece } from '#server/areas/attachment/receive.ts'
import { deriveId } from '#server/demo/changes.ts'
import type { EnteredPage } from '#server/demo/course/entered.ts'
import type { Bedside } from '#server/demo/enter.ts'
import type { DemoHand } from '#server/demo/hand.ts'
import { drawTongue } from '#server/demo/registry/course/tonguePicture.ts'
import { targetAt } from '#server/demo/setUp.ts'
import type { MadeStudy } from '#server/demo/setUp.ts'
import { stampOf } from '#server/http/runOnce.ts'

/** Pictures of tongues: named on their page like any photograph, and brought by whoever entered it. */

const FIELD = 'tongue_photo'

/** Whose tongue was photographed, at all visits. */
const PHOTOGRAPHED: ReadonlySet<string> = new Set(['BM-001', 'BM-002', 'BM-005'])

export interface Photograph {
  readonly reference: FileReference
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** The picture of a page of the four examinations; null for other pages and people. */
export function photographOf(no: string, { folder, page, values }: EnteredPage): Photograph | null {
  if (page !== 'TCM' || !PHOTOGRAPHED.has(no)) return null
  const has = (code: string, option: string): boolean => {
    const chosen = values[code]
    return Array.isArray(chosen) && chosen.includes(option)
  }
  const bytes = drawTongue({
    colour: valueText(values['tongue_colour'] ?? ''),
    isYellow: values['coating_colour'] === '2',
    isThick: has('coating', '2') || has('coating', '3'),
    isDotted: has('tongue_body', '6'),
  })
  const reference = {
    id: deriveId(`tongue ${no} ${folder}`),
    name: `舌象 ${no} ${folder}.png`,
    type: 'image/png',
    size: bytes.length,
    hash: createHash('sha256').update(bytes).digest('hex'),
  }
  return { reference, bytes }
}

/** The page with the picture named on it. */
export function withPhotograph(page: EnteredPage, photograph: Photograph | null): EnteredPage {
  if (photograph === null) return page
  return { ...page, values: { ...page.values, [FIELD]: [{ ...photograph.reference }] } }
}

/** Brings the picture. Each of its steps may be repeated. */
export async function bringPhotograph(
  hand: DemoHand,
  { projectId, folders }: MadeStudy,
  { patientId, account }: Bedside,
  { folder: folderCode, page: pageCode }: EnteredPage,
  { reference, bytes }: Photograph,
): Promise<void> {
  const target = targetAt({ folders }, patientId, folderCode, pageCode)
  const { id, name, type, size, hash } = reference
  const place = { entryId: entryId(target), table: null, rid: null, code: FIELD }
  const key = hand.keyOf(`file ${id}`)
  const { services } = hand
  const actor = hand.person(account)
  await startUpload(services, actor, projectId, id, { ...place, name, type, size, hash, thumb: null })
  await takePiece(services, actor, id, 0, hash, bytes)
  await finishUpload(services, actor, id, (role) =>
    stampOf({ actor, acted: hand.acted(), ip: '', call: 'attachment.finish', key, receivedAt: services.now() }, role),
  )
}
