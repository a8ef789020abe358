import { fail } from '#core/api/errors.ts'
import { mayCollide, numberOf, readTemplate } from '#core/study/patientNumber.ts'
import type { NumberFormat, TemplateProblem } from '#core/study/patientNumber.ts'
import type { Numbering } from '#server/areas/patient/numbers.ts'
import { isGiven, numberingsOfProject } from '#server/areas/patient/numbers.ts'
import type { Queryable } from '#server/database/transaction.ts'

/**
 * Templates of subject numbers: which ones a project and its centers may have. The caller holds the lock of the
 * project.
 */

/**
 * @throws ApiFailure invalid with the errors of the template; null is never an error
 */
export function requireTemplate(text: string | null): void {
  const read = text === null ? null : readTemplate(text)
  if (read !== null && !read.ok)
    throw fail('invalid', { fields: [{ path: 'body.numberTemplate', code: `template_${read.error}` }] })
}

/**
 * Follows a written change of templates or centers: the former templates are kept, for numbers that were given out
 * under them.
 *
 * @throws ApiFailure invalid where two subjects could ever get one number
 */
export async function changeTemplates(
  transaction: Queryable,
  projectId: string,
  before: readonly Numbering[],
): Promise<void> {
  const now = await numberingsOfProject(transaction, projectId)
  for (const { centerId, template } of before) {
    const next = now.find((one) => one.centerId === centerId)
    if (next === undefined || next.template === template) continue
    await transaction.query({
      name: 'center_former_template',
      text: `
        UPDATE center SET former_templates = array_append(array_remove(former_templates, $2), $2)
        WHERE id = $1 AND (next_no > 1 OR EXISTS (SELECT FROM patient p WHERE p.center_id = $1))`,
      values: [centerId, template],
    })
  }
  await requireDistinctNumbers(transaction, projectId)
}

/** @throws ApiFailure invalid where two subjects of the project could ever get one number */
export async function requireDistinctNumbers(transaction: Queryable, projectId: string): Promise<void> {
  if (collide(await numberingsOfProject(transaction, projectId)))
    throw fail('invalid', { fields: [{ path: 'body.numberTemplate', code: COLLISION }] })
}

const COLLISION = 'numbers_collide'

type Numbered = Pick<Numbering, 'format' | 'former'>

/** Whether two subjects could ever get one number. */
function collide(all: readonly Numbered[]): boolean {
  return all.some((one, at) =>
    all.slice(at).some((other) => {
      if (one === other) return one.former.some((former) => mayCollide(one.format, former))
      const [ours, theirs] = [
        [one.format, ...one.former],
        [other.format, ...other.former],
      ]
      // Conflicts that existed before the change are not counted.
      return ours.some((a) => theirs.some((b) => (a === one.format || b === other.format) && mayCollide(a, b)))
    }),
  )
}

/** The effect of a template: why it would be refused, or the next number of each center that it concerns. */
export interface TemplatePreview {
  readonly problem: `template_${TemplateProblem}` | typeof COLLISION | null
  readonly numbers: { readonly centerId: string; readonly centerName: string; readonly no: string }[]
}

/**
 * Computes the effect of a template. Nothing is written, and no number is taken.
 *
 * @param centerId of the center that is to have it; null for the project's
 * @param text null: the center is to number as the project does
 */
export async function previewTemplate(
  transaction: Queryable,
  projectId: string,
  centerId: string | null,
  text: string | null,
): Promise<TemplatePreview> {
  const read = text === null ? null : readTemplate(text)
  if (read !== null && !read.ok) return { problem: `template_${read.error}`, numbers: [] }
  const counts = await countsOf(transaction, projectId)
  const after = (await numberingsOfProject(transaction, projectId)).map((before) => {
    const concerned = centerId === null ? before.own === null : before.centerId === centerId
    const template = text ?? before.common
    if (!concerned || template === before.template) return { ...before, concerned }
    const isKnown = counts.get(before.centerId)?.given === true
    return {
      ...before,
      concerned,
      template,
      format: before.formatOf(template),
      former: isKnown ? [...before.former, before.format] : before.former,
    }
  })
  if (collide(after)) return { problem: COLLISION, numbers: [] }
  const numbers: TemplatePreview['numbers'] = []
  for (const { centerId: id, format, concerned } of after) {
    const known = counts.get(id)
    if (!concerned || known === undefined) continue
    numbers.push({
      centerId: id,
      centerName: known.name,
      no: await nextOf(transaction, projectId, format, format.counts === 'study' ? known.inStudy : known.inCenter),
    })
  }
  return { problem: null, numbers }
}

interface Counts {
  readonly id: string
  readonly name: string
  /** Whether the center has given numbers out. */
  readonly given: boolean
  readonly inCenter: number
  readonly inStudy: number
}

/** The next counts, by center. */
async function countsOf(transaction: Queryable, projectId: string): Promise<ReadonlyMap<string, Counts>> {
  const { rows } = await transaction.query<Counts>({
    name: 'template_counts',
    text: `
      SELECT c.id, c.name, c.next_no > 1 OR EXISTS (SELECT FROM patient p WHERE p.center_id = c.id) AS given, c.next_no AS "inCenter",
        greatest((SELECT s.next_no FROM study_number s WHERE s.project_id = $1), max(c.next_no) OVER ()) AS "inStudy"
      FROM center c WHERE c.project_id = $1`,
    values: [projectId],
  })
  return new Map(rows.map((row) => [row.id, row]))
}

async function nextOf(transaction: Queryable, projectId: string, format: NumberFormat, from: number): Promise<string> {
  for (let count = from; ; count += 1) {
    const no = numberOf(format, count)
    if (!(await isGiven(transaction, projectId, no))) return no
  }
}
