import type { OdmVersion } from '#core/exchange/odm/namespaces.ts'
import { Oids } from '#core/exchange/odm/oids.ts'
import { Units } from '#core/exchange/odm/version/units.ts'
import type { EventOids, FormOids, GroupOids, ItemOid } from '#core/exchange/odm/version/versionOids.ts'
import { nameOfStudy } from '#core/exchange/odm/write.ts'
import { styleOf, writeMetaDataVersion } from '#core/exchange/odm/version/writeMetaData.ts'
import { definitionOf } from '#core/exchange/ofVersion.ts'
import type { XmlElement } from '#core/exchange/xml/element.ts'
import type { Field, PageModel } from '#core/form/definition/page.ts'
import { readPage } from '#core/form/definition/page.ts'

import { FLAG_LISTS } from './annotations.ts'
import type { ClinicalStudy, ClinicalVersion } from '#core/exchange/clinical/subject.ts'

/** The versions of a study as a file has them, and where our ids lead in each. */

export interface FileFolder {
  readonly code: string
  readonly event: EventOids
}

export interface FilePage {
  readonly code: string
  readonly form: FormOids
  readonly model: PageModel
}

export interface FileVersion {
  readonly id: string
  readonly oid: string
  readonly since: string
  readonly metaDataVersion: XmlElement
  /** By id. */
  readonly folders: ReadonlyMap<string, FileFolder>
  /** By id; a page that cannot be read is in none. */
  readonly pages: ReadonlyMap<string, FilePage>
  /** OIDs of our lists. */
  readonly lists: ReadonlyMap<string, string>
}

export interface FileVersions {
  readonly units: Units
  /** By id, in the order of the file. */
  readonly byId: ReadonlyMap<string, FileVersion>
}

/** A field and the item that it is in the file. */
export interface FilePlace {
  readonly field: Field
  readonly group: GroupOids
  readonly item: ItemOid
}

/** The versions of a study with the OIDs that the export of each definition has. */
export function fileVersions({ studyName, versions }: ClinicalStudy, version: OdmVersion): FileVersions {
  const units = new Units(styleOf(version))
  const oids = new Oids([])
  const byId = new Map(
    versions.map((one) => [
      one.id,
      fileVersion(one, { version, studyName, oid: oids.take(`MDV.${one.versionNo}`) }, units),
    ]),
  )
  return { units, byId }
}

function fileVersion(
  { id, versionNo, folders, since }: ClinicalVersion,
  { version, studyName, oid }: { readonly version: OdmVersion; readonly studyName: string; readonly oid: string },
  units: Units,
): FileVersion {
  const { definition } = definitionOf({ folders })
  const name = `${nameOfStudy(studyName)} ${versionNo}`
  const { metaDataVersion, oids } = writeMetaDataVersion(definition, { version, oid, name, lists: FLAG_LISTS }, units)
  const models = new Map(
    definition.pages.flatMap(({ pageCode, option }) => {
      const read = readPage(option)
      return read.ok ? [[pageCode, read.page] as const] : []
    }),
  )
  return {
    id,
    oid,
    since,
    metaDataVersion,
    folders: new Map(
      folders.flatMap((folder) => {
        const event = oids.events.get(folder.folderCode)
        return event === undefined ? [] : [[folder.id, { code: folder.folderCode, event }] as const]
      }),
    ),
    pages: new Map(
      folders
        .flatMap((folder) => folder.pages)
        .flatMap((page) => {
          const [form, model] = [oids.forms.get(page.pageCode), models.get(page.pageCode)]
          return form === undefined || model === undefined
            ? []
            : [[page.id, { code: page.pageCode, form, model }] as const]
        }),
    ),
    lists: oids.lists,
  }
}

/** Where a field of a page, or of its rows, is in the file; null where the version has no such field. */
export function filePlaceOf({ form, model }: FilePage, table: string | null, code: string): FilePlace | null {
  const group = form.groups.find((one) => one.table === table && one.items.has(code))
  const fields = table === null ? model.fields : (model.byCode.get(table)?.children ?? [])
  const field = fields.find((one) => one.code === code)
  const item = group?.items.get(code)
  return group === undefined || field === undefined || item === undefined ? null : { field, group, item }
}
