import type { Language } from '#core/language.ts'

/** Labels of what comes from no field, in both languages. */

const words = {
  subject_id: ['受试者编号', 'Subject number'],
  subject_key: ['受试者假名', 'Subject pseudonym'],
  center: ['中心编号', 'Site code'],
  center_name: ['中心名称', 'Site name'],
  sex: ['性别', 'Sex'],
  enrolled_on: ['入组日期', 'Enrolment date'],
  mark: ['识别标记', 'Mark'],
  initials: ['姓名缩写', 'Initials'],
  name: ['姓名', 'Name'],
  mobile: ['手机号', 'Mobile'],
  email: ['电子邮箱', 'E-mail'],
  birth_date: ['出生日期', 'Date of birth'],
  visit: ['访视编码', 'Visit code'],
  visit_name: ['访视名称', 'Visit name'],
  visit_no: ['第几次访视', 'Visit repeat'],
  page: ['表单页编码', 'Page code'],
  page_no: ['第几份表单页', 'Page repeat'],
  pass: ['录入次序（一录、二录）', 'Entry pass'],
  row_no: ['行号', 'Row number'],
  version: ['表单版本', 'Form version'],
  status: ['录入状态', 'Entry status'],
  control: ['冻结与锁定', 'Freeze and lock'],
  submitted_at: ['提交时间', 'Submitted at'],
  submitted_by: ['提交人', 'Submitted by'],
  saved_at: ['最后保存时间', 'Last saved at'],
  saved_by: ['最后保存人', 'Last saved by'],
  queries_open: ['未答复质疑数', 'Open queries'],
  queries_answered: ['已答复质疑数', 'Answered queries'],
  sdv: ['源数据核查', 'Source data verification'],
  dmr: ['数据审核', 'Data review'],
  conflicts_open: ['未解决冲突数', 'Open conflicts'],
  table: ['表格编码', 'Table code'],
  code: ['字段编码', 'Field code'],
  label: ['字段名称', 'Field label'],
  value: ['值', 'Value'],
  missing: ['缺失原因', 'Missing reason'],
  why: ['为何保留在此', 'Why it is kept here'],
  subjects: ['受试者', 'Subjects'],
  flat: ['每名受试者一行', 'One row per subject'],
  retired: ['现行表单中已无位置的值', 'Values without a place in the current forms'],
  dictionary: ['变量字典', 'Dictionary'],
  variable: ['变量名', 'Variable'],
  variable_label: ['变量标签', 'Variable label'],
  type: ['类型', 'Type'],
  decimals: ['小数位', 'Decimals'],
  unit: ['单位', 'Unit'],
  codes: ['选项', 'Choices'],
  role: ['用途', 'Role'],
} as const satisfies Readonly<Record<string, readonly [zh: string, en: string]>>

export type DataWord = keyof typeof words

export function dataWord(word: DataWord, language: Language): string {
  return words[word][language === 'zh' ? 0 : 1]
}

const codes = {
  sex: { F: ['女', 'Female'], M: ['男', 'Male'] },
  status: { init: ['未录入', 'Not entered'], process: ['已保存', 'Saved'], other: ['已提交', 'Submitted'] },
  control: { open: ['未冻结', 'Open'], frozen: ['已冻结', 'Frozen'], locked: ['已锁定', 'Locked'] },
  review: {
    notDue: ['无需核查', 'Nothing due'],
    none: ['未核查', 'Not begun'],
    partial: ['部分核查', 'Partly done'],
    changed: ['核查后有改动', 'Changed since'],
    complete: ['已完成', 'Complete'],
  },
  why: { removed: ['字段已删除', 'Field removed'], unfit: ['不符合新字段', 'Does not fit the new field'] },
} as const satisfies Readonly<Record<string, Readonly<Record<string, readonly [zh: string, en: string]>>>>

/** A closed list of codes with their labels. */
export function codeLabels(
  list: keyof typeof codes,
  language: Language,
): readonly { readonly code: string; readonly label: string }[] {
  return Object.entries(codes[list]).map(([code, texts]: [string, readonly [string, string]]) => ({
    code,
    label: texts[language === 'zh' ? 0 : 1],
  }))
}
