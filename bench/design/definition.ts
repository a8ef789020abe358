import type { Column, PageOption } from '#core/form/definition/column.ts'

/** The study that is designed: visits with pages of fields with realistic rules, some of which read other pages. */

export const FOLDERS = 20
export const PAGES_EACH = 5
export const FIELDS_EACH = 50

/** The name of a page; both numbers count from 1. */
export function pageName(folder: number, page: number): string {
  return `访视 ${folder} 第 ${page} 页`
}

interface DesignDefinition {
  readonly folders: readonly {
    readonly folderName: string
    readonly folderCode: string
    readonly pages: readonly DesignedPage[]
  }[]
}

interface DesignedPage {
  readonly pageName: string
  readonly pageCode: string
  readonly repeatable: boolean
  readonly option: string
}

/** Visits × 5 pages × 50 fields, a fifth of them with a rule: of 20 visits 5,000 fields. */
export function largeStudy(visits: number): DesignDefinition {
  const folders = Array.from({ length: visits }, (_, folder) => {
    const folderCode = `V${folder + 1}`
    const pages = Array.from({ length: PAGES_EACH }, (__, page): DesignedPage => {
      const pageCode = `${folderCode}P${page + 1}`
      return {
        pageName: pageName(folder + 1, page + 1),
        pageCode,
        repeatable: false,
        option: JSON.stringify(pageOption(folderCode, page)),
      }
    })
    return { folderName: `访视 ${folder + 1}`, folderCode, pages }
  })
  return { folders }
}

function pageOption(folderCode: string, page: number): PageOption {
  const groups = Array.from({ length: 5 }, (_, group) => ({
    label: `第 ${group + 1} 部分`,
    prop: `section_${group + 1}`,
    column: Array.from({ length: FIELDS_EACH / 5 }, (__, at) =>
      column(group * 10 + at, page === 0 ? null : `form.${folderCode}.${folderCode}P${page}.f1`),
    ),
  }))
  return { column: [], group: groups, labelPosition: 'top' }
}

/** @param otherPages a number of the page before in the same visit, which one field of each page follows */
function column(at: number, elsewhere: string | null): Column {
  const label = `项目 ${at + 1}`
  const prop = `f${at}`
  switch (at % 10) {
    case 0:
      return { prop, label, type: 'radio', dicData: choices(3) }
    case 1:
      return {
        prop,
        label,
        type: 'number',
        zl: { min: 0, max: 1000, unit: 'mg', labels: { zh: label, en: `Item ${at + 1}` } },
      }
    case 2:
      return {
        prop,
        label,
        type: 'number',
        zl: { calculate: at === 2 && elsewhere !== null ? `page.f1 + ${elsewhere}` : `page.f${at - 1} * 2` },
      }
    case 3:
      return { prop, label, type: 'date' }
    case 4:
      return { prop, label, type: 'select', dicData: choices(12) }
    case 5:
      return { prop, label, type: 'input', zl: { show: `page.f${at - 5} == "1"` } }
    case 6:
      return { prop, label, type: 'textarea' }
    case 7:
      return { prop, label, type: 'checkbox', dicData: choices(6) }
    default:
      return { prop, label, type: 'input', maxlength: 100 }
  }
}

function choices(count: number) {
  return Array.from({ length: count }, (_, at) => ({ value: String(at), label: `选项 ${at}` }))
}
