import type { XmlElement } from '#core/exchange/xml/element.ts'
import { attributeOf, childrenOf } from '#core/exchange/xml/element.ts'
import type { Column } from '#core/form/definition/column.ts'
import type { PageModel } from '#core/form/definition/page.ts'
import { readPage } from '#core/form/definition/page.ts'

import { OdmCounts } from '#core/exchange/odm/counts.ts'
import { plannedEvents, readFolders } from '#core/exchange/odm/folders.ts'
import { sourcePages } from '#core/exchange/odm/read.ts'
import { sourceOf } from '#core/exchange/odm/source.ts'
import type { SourcePage } from '#core/exchange/odm/sourcePage.ts'
import { optionOf } from '#core/exchange/odm/sourcePage.ts'

/** Where the OIDs of data lead: the versions of the definition that a file holds, each with its codes here. */

export interface PlaceInVersion {
  readonly table: string | null
  readonly code: string
  readonly dataType: string
}

export interface PageOfVersion {
  readonly code: string
  readonly model: PageModel
  /** Codes of tables by the OIDs of their groups. */
  readonly tables: ReadonlyMap<string, string>
  /** By the OID of the group and, within it, of the item. */
  readonly items: ReadonlyMap<string, ReadonlyMap<string, PlaceInVersion>>
}

export interface PlacesOfVersion {
  /** Codes of folders by OIDs of events. */
  readonly folders: ReadonlyMap<string, string>
  /** By the OID of the form. */
  readonly pages: ReadonlyMap<string, PageOfVersion>
}

/**
 * All versions of a file, by the OIDs of study and version with a line break between.
 *
 * @throws TooManyFields
 */
export function placesOfVersions(root: XmlElement, version: string): ReadonlyMap<string, PlacesOfVersion> {
  return new Map(
    childrenOf(root, 'Study').flatMap((study) =>
      childrenOf(study, 'MetaDataVersion').map(
        (metadata) => [versionKey(attributeOf(study, 'OID'), attributeOf(metadata, 'OID')), places(metadata)] as const,
      ),
    ),
  )

  function places(metadata: XmlElement): PlacesOfVersion {
    const study = childrenOf(root, 'Study').find((one) => one.children.includes(metadata)) ?? root
    const source = sourceOf({ version, counts: new OdmCounts(), root, study, metadata })
    const silent = () => () => undefined
    const { pages } = sourcePages(source, silent, [])
    const codes = new Map(pages.map(({ oid, code }) => [oid, code]))
    const events = plannedEvents(source, silent)
    const folders = readFolders(events, (oid) => codes.get(oid) ?? null, silent)
    const dataTypes = new Map([...source.items].map(([oid, item]) => [oid, attributeOf(item, 'DataType')]))
    return {
      folders: new Map(events.map((event, at) => [attributeOf(event, 'OID'), folders[at]?.folderCode ?? ''])),
      pages: new Map(
        pages.flatMap((page) => {
          const read = readPage(optionOf(page))
          return read.ok
            ? [[page.oid, { code: page.code, model: read.page, ...placesOn(page, dataTypes) }] as const]
            : []
        }),
      ),
    }
  }
}

export function versionKey(studyOid: string, versionOid: string): string {
  return `${studyOid}\n${versionOid}`
}

function placesOn(
  { sections }: SourcePage,
  dataTypes: ReadonlyMap<string, string>,
): Pick<PageOfVersion, 'tables' | 'items'> {
  const tables = new Map<string, string>()
  const items = new Map<string, Map<string, PlaceInVersion>>()
  for (const field of sections.flatMap(({ fields }) => fields)) {
    const isTable = isTableColumn(field.column) && field.children.length > 0
    if (isTable) tables.set(field.oid, field.place.prop)
    const rows = isTable ? field.children.map((child) => ({ ...child, group: field.oid })) : []
    for (const { oid, place, group } of [
      ...(isTable ? [] : [{ ...field, group: field.above.at(-1) ?? '' }]),
      ...rows,
    ]) {
      const within = items.get(group) ?? new Map<string, PlaceInVersion>()
      within.set(oid, {
        table: isTable ? field.place.prop : null,
        code: place.prop,
        dataType: dataTypes.get(oid) ?? 'text',
      })
      items.set(group, within)
    }
  }
  return { tables, items }
}

function isTableColumn({ type }: Column): boolean {
  return type === 'dynamic'
}
