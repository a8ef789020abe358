import { fail } from '#core/api/errors.ts'
import { isId } from '#core/ids.ts'
import { passParameter } from '#server/access.ts'
import type { Membership } from '#server/access.ts'
import { pageOfPatients } from '#server/areas/patient/list.ts'
import type { ListedIds } from '#server/areas/patient/list.ts'
import type { Queryable } from '#server/database/transaction.ts'

import { hasPage, hasRows, requirePage, requireTable } from './onPage.ts'

/**
 * The patients that have something on a page, or in a table of it: within the reader's centers, pass and data scope.
 */

interface Paging {
  readonly current: number
  readonly size: number
}

/**
 * Patients with data on a page: at least one saved entry of it that is not deleted, in any visit and repeat.
 *
 * @throws ApiFailure not_found for a page that no version of the project has
 */
export async function patientsOfPage(
  transaction: Queryable,
  member: Membership,
  pageId: string,
  paging: Paging,
): Promise<ListedIds> {
  await requirePage(transaction, member, pageId)
  return pageOfPatients(
    transaction,
    member,
    { name: 'page_patients', holds: hasPage('$4', '$5'), values: [pageId, passParameter(member)] },
    paging,
  )
}

/**
 * Patients with at least one row, not deleted, in a table field.
 *
 * @param field `pageId.code`
 * @throws ApiFailure invalid for text that names no such field, not_found for a field that the project does not have,
 *   forbidden where the table identifies patients and the reader may not see that
 */
export async function patientsWithRows(
  transaction: Queryable,
  member: Membership,
  field: string,
  paging: Paging,
): Promise<ListedIds> {
  const [pageId = '', code, more] = field.split('.')
  if (!isId(pageId) || code === undefined || more !== undefined)
    throw fail('invalid', { fields: [{ path: 'params.id', code: 'format' }] })
  await requireTable(transaction, member, pageId, code)
  return pageOfPatients(
    transaction,
    member,
    { name: 'field_patients', holds: hasRows('$4', '$5', '$6'), values: [pageId, passParameter(member), code] },
    paging,
  )
}
