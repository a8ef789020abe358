import type { Column, DictionaryItem, PageOption } from '#core/form/definition/column.ts'

/**
 * A page with every type of field of the specification, in both languages. Those that are entered later hold something,
 * to be read.
 */

export const CHOICES: readonly DictionaryItem[] = [
  { value: 'bb', label: '薄白' },
  { value: 'bn', label: '白腻' },
  { value: 'hn', label: '黄腻' },
  { value: 'st', label: '少苔', disabled: true },
]

const SYNDROMES: readonly DictionaryItem[] = Array.from({ length: 60 }, (_, at) => ({
  value: `s${at}`,
  label: `证候 ${at}`,
}))

const YES_NO: readonly DictionaryItem[] = [
  { value: '1', label: 'Yes' },
  { value: '0', label: 'No' },
]

const column = (prop: string, type: Column['type'], zh: string, en: string, more: Partial<Column> = {}): Column => ({
  ...more,
  prop,
  type,
  label: zh,
  zl: { ...more.zl, labels: { zh, en } },
})

const TYPED: readonly Column[] = [
  column('name', 'input', '姓名缩写', 'Initials', { required: true, maxlength: 10 }),
  column('herb', 'autocomplete', '方药', 'Formula'),
  column('history', 'textarea', '现病史', 'History of present illness'),
  column('weight', 'number', '体重', 'Weight', { required: true, zl: { unit: 'kg', min: 30, max: 200, precision: 1 } }),
  column('height', 'number', '身高', 'Height', {
    zl: {
      unit: 'cm',
      checks: [
        {
          id: 'tall',
          when: 'page.height > 210.0',
          severity: 'warning',
          message: { zh: '身高超过 210 cm', en: 'Taller than 210 cm' },
        },
      ],
    },
  }),
  column('bmi', 'number', '体重指数', 'Body mass index', {
    zl: { unit: 'kg/m²', calculate: 'round(page.weight / pow(page.height / 100, 2), 1)' },
  }),
  column('symptoms', 'array', '主要症状', 'Main symptoms'),
  column('links', 'url', '参考网址', 'References'),
]

const CHOSEN: readonly Column[] = [
  column('coating', 'radio', '舌苔', 'Tongue coating', { required: true, dicData: CHOICES }),
  column('event', 'radio', '不良事件', 'Adverse event', { dicData: YES_NO, zl: { widget: 'yesno' } }),
  column('eventText', 'input', '不良事件描述', 'What happened', { required: true, zl: { show: 'page.event == "1"' } }),
  column('pulse', 'checkbox', '脉象', 'Pulse', { required: true, dicData: CHOICES.slice(0, 3) }),
  column('syndrome', 'select', '证候', 'Syndrome', { required: true, dicData: SYNDROMES }),
  column('syndromes', 'select', '兼证', 'Further syndromes', { multiple: true, dicData: SYNDROMES }),
  column('pain', 'slider', '疼痛评分', 'Pain', { required: true, min: 0, max: 10, zl: { marks: ['无痛', '剧痛'] } }),
  column('sleep', 'slider', '心率范围', 'Heart rate range', { range: true, min: 40, max: 180, zl: { unit: 'bpm' } }),
]

const DATED: readonly Column[] = [
  column('visit', 'date', '访视日期', 'Date of visit', {
    required: true,
    zl: { min: '2024-01-01', max: '2026-12-31' },
  }),
  column('onset', 'date', '发病日期', 'Date of onset', { zl: { partial: 'year' } }),
  column('stage', 'input', '发病天数', 'Days since onset', {
    zl: { calculate: 'string(days(page.onset, page.visit))' },
  }),
  column('taken', 'time', '采血时间', 'Time of blood sample'),
  column('dosed', 'datetime', '给药时间', 'Time of dose'),
  column('born', 'year', '出生年份', 'Year of birth'),
  column('period', 'month', '随访月份', 'Month of follow-up'),
  column('season', 'month', '高发月份', 'Month of most attacks', { valueFormat: 'MM' }),
  column('week', 'week', '随访周', 'Week of follow-up'),
  column('course', 'daterange', '疗程', 'Course of treatment', { required: true }),
  column('night', 'timerange', '睡眠时间', 'Sleep'),
  column('stay', 'datetimerange', '住院时间', 'Stay in hospital'),
]

const PLACES: readonly DictionaryItem[] = [
  {
    value: '11',
    label: '北京',
    children: [
      { value: '1101', label: '东城' },
      { value: '1102', label: '西城' },
    ],
  },
  { value: '31', label: '上海', children: [{ value: '3101', label: '黄浦' }] },
]

const DISEASES: readonly DictionaryItem[] = [
  {
    value: 'A',
    label: '肺系病',
    children: [
      { value: 'A01', label: '感冒' },
      { value: 'A02', label: '咳嗽', children: [{ value: 'A02.1', label: '风寒袭肺证' }] },
    ],
  },
  { value: 'B', label: '心系病', children: [{ value: 'B01', label: '胸痹' }] },
]

const LEVELS: readonly Column[] = [
  column('place', 'cascader', '籍贯', 'Place of origin', { required: true, dicData: PLACES }),
  column('lived', 'cascader', '居住地', 'Places lived in', { multiple: true, dicData: PLACES }),
  column('icd', 'tree', '疾病分类', 'Disease class', { dicData: DISEASES }),
  column('icds', 'tree', '合并疾病', 'Further diseases', { multiple: true, parent: false, dicData: DISEASES }),
  column('formula', 'autocomplete', '主方', 'Main formula', {
    dicData: [
      { value: 'f1', label: '血府逐瘀汤' },
      { value: 'f2', label: '四君子汤' },
    ],
  }),
]

const LATER: readonly Column[] = [
  column('scan', 'upload', '影像', 'Scan'),
  column('center', 'select', '转诊医院', 'Referring hospital', { required: true }),
  column('batch', 'table', '批号', 'Batch'),
  column('signed', 'input', '签署人', 'Signed by', { readonly: true }),
]

const TABLES: readonly Column[] = [
  column('drugs', 'dynamic', '合并用药', 'Concomitant drugs', {
    required: true,
    children: {
      column: [
        column('drug', 'input', '药名', 'Drug', { required: true }),
        column('dose', 'number', '单次剂量', 'Dose', { zl: { unit: 'mg', min: 0 } }),
        column('times', 'number', '每日次数', 'Times a day'),
        column('daily', 'number', '日剂量', 'Daily dose', { zl: { unit: 'mg', calculate: 'row.dose * row.times' } }),
        column('from', 'date', '开始日期', 'Since'),
        column('reason', 'radio', '用药原因', 'Reason', { dicData: CHOICES.slice(0, 3) }),
      ],
    },
  }),
  column('daily', 'number', '合并用药日剂量合计', 'Daily dose of all drugs', {
    zl: { unit: 'mg', calculate: 'sum(page.drugs.map(one, one.daily))' },
  }),
]

export const everyField: PageOption = {
  column: [],
  group: [
    { prop: 'typed', label: '文字与数字', column: TYPED },
    { prop: 'chosen', label: '选择', column: CHOSEN },
    { prop: 'dated', label: '日期与时间', column: DATED },
    { prop: 'levels', label: '层级与建议', column: LEVELS },
    { prop: 'tables', label: '表格', column: TABLES },
    { prop: 'later', label: '只读', column: LATER },
  ],
}

/** What the page holds when it is opened. */
export const stored = {
  scan: ['/u/ct-001.png'],
  place: ['11', '1101'],
  icd: 'A',
  center: 'h-12',
  drugs: [{ _rid: 'r1', _ord: 'a0', drug: '甘草', dose: 10, times: 2, from: '2026-02-01', reason: 'bb', daily: 20 }],
  batch: '9',
  signed: '王医生',
}
