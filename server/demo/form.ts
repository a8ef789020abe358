import type { DefinitionInput } from '#core/api/calls.version.ts'
import type { Column, DictionaryItem } from '#core/form/column.ts'

/** The demo study's casebook: stable angina treated with a TCM formula; three visits. */

const YES_NO = [
  { label: '是', value: '1' },
  { label: '否', value: '0' },
]

function choice(...labels: readonly string[]): readonly DictionaryItem[] {
  return labels.map((label, index) => ({ label, value: String(index + 1) }))
}

const demographics: readonly Column[] = [
  { prop: 'icf_date', label: '签署知情同意书日期', type: 'date', required: true },
  { prop: 'birth', label: '出生日期', type: 'date', required: true, zl: { identifier: true } },
  {
    prop: 'age',
    label: '年龄',
    type: 'number',
    zl: {
      unit: '岁',
      calculate: 'age(page.birth, page.icf_date)',
      checks: [{ id: 'age', when: 'page.age < 18.0 || page.age > 80.0', severity: 'query', message: { zh: '年龄应为 18～80 岁。', en: 'Age should be 18 to 80.' } }],
    },
  },
  { prop: 'sex', label: '性别', type: 'radio', required: true, dicData: choice('男', '女') },
  { prop: 'nation', label: '民族', type: 'select', dicData: choice('汉族', '满族', '回族', '蒙古族', '其他') },
  { prop: 'nation_other', label: '其他民族', type: 'input', required: true, zl: { show: 'page.nation == "5"' } },
]

const vitalSigns: readonly Column[] = [
  { prop: 'vs_date', label: '检查日期', type: 'date', required: true },
  { prop: 'height', label: '身高', type: 'number', zl: { unit: 'cm', min: 100, max: 230, precision: 1 } },
  { prop: 'weight', label: '体重', type: 'number', zl: { unit: 'kg', min: 30, max: 200, precision: 1 } },
  { prop: 'bmi', label: '体重指数（BMI）', type: 'number', zl: { unit: 'kg/m²', calculate: 'round(page.weight / pow(page.height / 100, 2), 1)' } },
  { prop: 'temperature', label: '体温', type: 'number', zl: { unit: '℃', min: 35, max: 42, precision: 1 } },
  { prop: 'pulse', label: '脉搏', type: 'number', required: true, zl: { unit: '次/分', min: 30, max: 220, precision: 0 } },
  { prop: 'sbp', label: '收缩压', type: 'number', required: true, zl: { unit: 'mmHg', min: 60, max: 260, precision: 0 } },
  {
    prop: 'dbp',
    label: '舒张压',
    type: 'number',
    required: true,
    zl: {
      unit: 'mmHg',
      min: 30,
      max: 160,
      precision: 0,
      checks: [{ id: 'dbp', when: 'page.dbp >= page.sbp', severity: 'error', message: { zh: '舒张压应低于收缩压。', en: 'Diastolic must be below systolic.' } }],
    },
  },
]

const angina: readonly Column[] = [
  { prop: 'attacks', label: '近一周心绞痛发作次数', type: 'number', required: true, zl: { unit: '次', min: 0, max: 200, precision: 0 } },
  { prop: 'duration', label: '每次持续时间', type: 'radio', dicData: choice('<3 分钟', '3～5 分钟', '>5 分钟'), zl: { show: 'page.attacks > 0' } },
  { prop: 'pain', label: '疼痛程度（VAS）', type: 'slider', min: 0, max: 100, zl: { show: 'page.attacks > 0', marks: ['无痛', '中等', '最痛'] } },
  { prop: 'ccs', label: 'CCS 分级', type: 'radio', dicData: choice('Ⅰ级', 'Ⅱ级', 'Ⅲ级', 'Ⅳ级') },
  { prop: 'nitro', label: '是否使用硝酸甘油', type: 'radio', dicData: YES_NO, zl: { widget: 'yesno' } },
  { prop: 'nitro_dose', label: '硝酸甘油用量', type: 'number', required: true, zl: { unit: '片/周', min: 0, precision: 0, show: 'page.nitro == "1"' } },
  { prop: 'tongue', label: '舌象', type: 'checkbox', dicData: choice('舌紫暗', '瘀斑', '苔白腻', '苔薄白') },
  { prop: 'pulse_tcm', label: '脉象', type: 'select', dicData: choice('弦', '涩', '滑', '沉', '细') },
]

const adverseEvents: readonly Column[] = [
  { prop: 'ae_any', label: '本访视期间是否发生不良事件', type: 'radio', required: true, dicData: YES_NO, zl: { widget: 'yesno' } },
  { prop: 'ae_term', label: '不良事件名称', type: 'input', required: true, zl: { show: 'page.ae_any == "1"' } },
  { prop: 'ae_start', label: '开始日期', type: 'date', required: true, zl: { show: 'page.ae_any == "1"' } },
  { prop: 'ae_grade', label: '严重程度', type: 'radio', dicData: choice('轻度', '中度', '重度'), zl: { show: 'page.ae_any == "1"' } },
  { prop: 'ae_serious', label: '是否为严重不良事件', type: 'radio', dicData: YES_NO, zl: { widget: 'yesno', show: 'page.ae_any == "1"' } },
  { prop: 'ae_report', label: 'SAE 报告日期', type: 'date', required: true, zl: { show: 'page.ae_serious == "1"' } },
  { prop: 'ae_note', label: '处理措施及转归', type: 'textarea', zl: { show: 'page.ae_any == "1"' } },
]

function page(pageName: string, pageCode: string, column: readonly Column[]): DefinitionInput['folders'][number]['pages'][number] {
  return { pageName, pageCode, repeatable: false, option: JSON.stringify({ column }) }
}

const DM = page('人口学资料', 'DM', demographics)
const VS = page('生命体征', 'VS', vitalSigns)
const AP = page('心绞痛评估', 'AP', angina)
const AE = page('不良事件', 'AE', adverseEvents)

export const demoDefinition: DefinitionInput = {
  folders: [
    { folderName: '筛选期（V1）', folderCode: 'V1', pages: [DM, VS, AP] },
    { folderName: '第 2 周（V2）', folderCode: 'V2', pages: [VS, AP, AE] },
    { folderName: '第 4 周（V3）', folderCode: 'V3', pages: [VS, AP, AE] },
  ],
}
