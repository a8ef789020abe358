import type { Annotation } from './annotations.ts'
import type { ClinicalQuery } from '#core/exchange/clinical/subject.ts'

/** Clinical data on their way into a file, in the order of ODM, the same for both of its versions. */

/**
 * What becomes of something in a file of transactions. `Context` only says where something stands; `Upsert` makes it
 * where it is not there.
 */
export type Transaction = 'Insert' | 'Update' | 'Remove' | 'Upsert' | 'Context'

/** Who did something, when by the clock of the server, and why. */
export interface AuditFacts {
  readonly userId: string | null
  readonly centerId: string
  /** A time of ISO 8601 with its zone. */
  readonly at: string
  readonly reason: string | null
  readonly source: string | null
  /** Whether a rule made the value and not a person. */
  readonly isCalculated: boolean
}

interface DataNode {
  transaction: Transaction | null
  audit: AuditFacts | null
  readonly annotations: Annotation[]
  readonly queries: ClinicalQuery[]
}

export interface SubjectNode extends DataNode {
  readonly key: string
  readonly centerId: string
  readonly events: EventNode[]
}

export interface EventNode extends DataNode {
  readonly oid: string
  readonly repeat: string | null
  readonly forms: FormNode[]
}

export interface FormNode extends DataNode {
  readonly oid: string
  readonly repeat: string | null
  readonly groups: GroupNode[]
}

export interface GroupNode extends DataNode {
  readonly oid: string
  readonly repeat: string | null
  /** Place among the rows that are there, from 1; null for what is no row, or where its place is not known. */
  readonly place: number | null
  readonly items: ItemNode[]
}

export interface ItemNode extends DataNode {
  readonly oid: string
  readonly texts: readonly string[]
  /** Whether it says that there is no value; it has no texts then. */
  readonly isNull: boolean
}

/** What every part has while nothing was said of it. */
export function emptyNode(): DataNode {
  return { transaction: null, audit: null, annotations: [], queries: [] }
}
