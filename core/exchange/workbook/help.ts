import {
  CHECKS,
  CHOICES,
  ENROLMENT,
  FIELDS,
  KINDS,
  NO,
  PAGES,
  SECTION,
  SEVERITIES,
  SHEETS,
  TYPES,
  VISITS,
  YES,
} from './layout.ts'

/** What the first sheet says to whoever fills the workbook in, in both languages. It is not read again. */

type Line = readonly [where: string, what: string, zh: string, en: string]

export const HELP: readonly Line[] = [
  ['工作表 Sheet', '列 Column', '说明', 'Explanation'],
  [
    SHEETS.visits,
    VISITS.code,
    '字母开头，只含字母、数字和下划线；不重复',
    'Begins with a letter; letters, digits and underscores; each once',
  ],
  [SHEETS.visits, VISITS.english, '英文界面中的名称；可留空', 'Its name in the English interface; may be blank'],
  [
    SHEETS.visits,
    VISITS.pages,
    '该访视的页面编码，用逗号隔开，按顺序',
    'Codes of its pages, parted by commas, in order',
  ],
  [
    SHEETS.visits,
    VISITS.kind,
    `${Object.values(KINDS).join('、')}；空白表示一直都在、没有日期`,
    `${Object.entries(KINDS)
      .map(([en, zh]) => `${zh} ${en}`)
      .join(', ')}; blank: always there, without a date`,
  ],
  [
    SHEETS.visits,
    VISITS.anchor,
    `“${ENROLMENT}”或另一访视的编码；只用于计划访视`,
    `“${ENROLMENT}” (enrolment) or the code of another visit; planned visits only`,
  ],
  [
    SHEETS.visits,
    VISITS.day,
    '从基准起第几天；窗口为提前和推后的天数',
    'Days after the anchor; the window is given by the days before and after',
  ],
  [
    SHEETS.pages,
    PAGES.repeatable,
    `${YES}或${NO}：一次访视中可否填写多份`,
    `${YES} (yes) or ${NO} (no): whether it may be filled in more than once in a visit`,
  ],
  [
    SHEETS.fields,
    FIELDS.page,
    '字段所在的页面；行的先后就是字段的先后',
    'The page of the field; fields stand in the order of the rows',
  ],
  [
    SHEETS.fields,
    FIELDS.type,
    `${Object.values(TYPES).join('、')}；“${SECTION}”一行开始一个分组`,
    `${Object.entries(TYPES)
      .map(([en, zh]) => `${zh} ${en}`)
      .join(', ')}; a row ${SECTION} begins a section`,
  ],
  [
    SHEETS.fields,
    FIELDS.table,
    '该字段是某个表格的一列时，填写表格的字段编码',
    'The code of the table that the field is a column of',
  ],
  [SHEETS.fields, FIELDS.list, `“${SHEETS.choices}”中选项表的名称`, `Name of a list in the sheet ${SHEETS.choices}`],
  [
    SHEETS.fields,
    FIELDS.show,
    '规则用 CEL 书写，例如 page.sex == "1"；今天是 today',
    'Rules are CEL, such as page.sex == "1"; today is today',
  ],
  [
    SHEETS.fields,
    FIELDS.calculate,
    '例如 round(page.weight / pow(page.height / 100, 2), 1)',
    'Such as round(page.weight / pow(page.height / 100, 2), 1)',
  ],
  [
    SHEETS.fields,
    FIELDS.rest,
    '导出时写入其余设置（JSON）；手工填写时留空',
    'All other settings, as an export writes them (JSON); leave it blank',
  ],
  [SHEETS.choices, CHOICES.code, '存储的值；同一选项表中不重复', 'The value that is stored; each once in a list'],
  [
    SHEETS.checks,
    CHECKS.when,
    '条件成立时提示，例如 page.sbp < page.dbp',
    'The check speaks when it holds, such as page.sbp < page.dbp',
  ],
  [
    SHEETS.checks,
    CHECKS.severity,
    Object.values(SEVERITIES).join('、'),
    Object.entries(SEVERITIES)
      .map(([en, zh]) => `${zh} ${en}`)
      .join(', '),
  ],
]
