import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import { STUDY_OID } from '#core/exchange/odm/write.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import { element } from '#core/exchange/xml/write.ts'

import type { FileVersion } from './fileVersions.ts'
import type { FileNames } from './nodeElements.ts'
import type { ClinicalStudy, TellNote } from '#core/exchange/clinical/subject.ts'

/** The people and the centers of a file. */

/** Who did what happened by itself: what a rule calculated, what a release brought along. */
const SYSTEM = 'USR.SYSTEM'

/** The names of people and centers in a file. One that the study does not name is told of once. */
export function namesOfFile({ users, centers }: ClinicalStudy, tell: TellNote): Pick<FileNames, 'user' | 'location'> {
  const people = new Set(users.map(({ id }) => id))
  const codes = new Map<string, string>()
  const taken = new Set<string>()
  for (const { id, code } of centers) {
    const oid = taken.has(code) ? `LOC.${code}.${id}` : `LOC.${code}`
    taken.add(code)
    codes.set(id, oid)
  }
  const told = new Set<string>()
  const tellUnknown = (id: string, what: 'no-user' | 'no-center') => {
    if (!told.has(id)) tell({ subject: '', folder: '', page: '', table: null, field: null, what })
    told.add(id)
  }
  return {
    user: (id) => {
      if (id === null) return SYSTEM
      if (!people.has(id)) tellUnknown(id, 'no-user')
      return `USR.${id}`
    },
    location: (id) => {
      const oid = codes.get(id)
      if (oid === undefined) tellUnknown(id, 'no-center')
      return oid ?? `LOC.${id}`
    },
  }
}

export function adminElement(
  { users, centers }: ClinicalStudy,
  versions: readonly FileVersion[],
  { user, location }: Pick<FileNames, 'user' | 'location'>,
  version: OdmVersion,
): XmlElement {
  const person = (oid: string, name: string) =>
    element('User', { OID: oid, UserType: 'Other' }, [element('FullName', {}, name)])
  return element('AdminData', { StudyOID: STUDY_OID }, [
    ...users.map(({ id, name }) => person(user(id), name)),
    person(SYSTEM, 'Zhenglu'),
    ...centers.map(({ id, code, name }) =>
      element(
        'Location',
        {
          OID: location(id),
          Name: name.trim() === '' ? code : name,
          ...(version === '2.0' ? { Role: 'Site' } : { LocationType: 'Site' }),
        },
        versions.map(({ oid, since }) =>
          element('MetaDataVersionRef', { StudyOID: STUDY_OID, MetaDataVersionOID: oid, EffectiveDate: since }),
        ),
      ),
    ),
  ])
}
