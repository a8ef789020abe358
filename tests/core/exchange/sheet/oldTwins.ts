import type { XlsRows } from './makingXls.ts'
import { oldWorkbook } from './makingXls.ts'

/** What the old workbooks of tests/samples were made of: a file of bytes says nothing to who reads it. */

const WARD: Readonly<Record<string, XlsRows>> = {
  survey: [
    [
      'type',
      'name',
      'label',
      'label::中文 (zh)',
      'hint',
      'constraint',
      'relevant',
      'required',
      'default',
      'calculation',
    ],
    ['begin group', 'bed', 'At the bed', '床边'],
    ['text', 'nurse', 'Nurse on duty', '值班护士', null, null, null, true],
    ['select_one shift', 'shift', 'Shift', '班次', null, null, null, null, 1],
    ['decimal', 'warmth', 'Temperature (°C)', '体温（°C）', 36.65, '. > 30 and . < 45'],
    ['integer', 'pulse', 'Pulse', '脉搏', 72, '. >= 20 and . <= 250'],
    ['date', 'seen', 'Seen on', '查房日期', { day: 46_082 }],
    ['end group'],
    ['select_multiple sign', 'signs', { rich: 'Signs of today' }, '症状'],
    ['text', 'words', 'In words', '请说明', null, null, "selected(${signs}, 'other')"],
    ['calculate', 'feverish', null, null, null, null, null, null, null, { formula: "if(${warmth} > 38, 'yes', 'no')" }],
  ],
  choices: [
    ['list_name', 'name', 'label', 'label::中文 (zh)'],
    ['shift', 1, 'Day', '白班'],
    ['shift', 2, 'Night', '夜班'],
    ['sign', 'cough', 'Cough', '咳嗽'],
    ['sign', 'fever', 'Fever', '发热'],
    ['sign', 'other', 'Other', '其他'],
  ],
  settings: [
    ['form_title', 'form_id'],
    ['Ward round', 'ward'],
  ],
}

/** How the template is filled in, at such length that it goes over many records. */
const INSTRUCTIONS: XlsRows = Array.from({ length: 40 }, (_, at) => [
  at + 1,
  at % 2 === 0
    ? `Row ${at + 1} of these words says how a row is filled in. ${'It goes on for long. '.repeat(at)}`
    : `第 ${at + 1} 行说明如何填写 row ${at + 1}。${'后面还有很多话 and more。'.repeat(at)}`,
])

const TEMPLATE: Readonly<Record<string, XlsRows>> = {
  CRF: [['CRF_NAME*', 'VERSION*', 'VERSION_DESCRIPTION', 'REVISION_NOTES']],
  Sections: [['SECTION_LABEL*', 'SECTION_TITLE*', 'SUBTITLE', 'INSTRUCTIONS']],
  Groups: [['GROUP_LABEL*', 'GROUP_LAYOUT', 'GROUP_HEADER', 'GROUP_REPEAT_NUMBER', 'GROUP_REPEAT_MAX']],
  Items: [
    [
      'ITEM_NAME*',
      'DESCRIPTION_LABEL*',
      'LEFT_ITEM_TEXT',
      'UNITS',
      'SECTION_LABEL*',
      'GROUP_LABEL',
      'RESPONSE_TYPE*',
      'RESPONSE_LABEL',
      'RESPONSE_OPTIONS_TEXT',
      'RESPONSE_VALUES_OR_CALCULATIONS',
      'DATA_TYPE*',
      'VALIDATION',
      'VALIDATION_ERROR_MESSAGE',
      'PHI',
      'REQUIRED',
    ],
  ],
  Instructions: INSTRUCTIONS,
}

/** By their names in tests/samples/xlsform. */
export const OLD_TWINS: Readonly<Record<string, () => Uint8Array>> = {
  'twin_ward.xls': () => oldWorkbook(WARD),
  'twin_oc_crf.xls': () => oldWorkbook(TEMPLATE),
}
