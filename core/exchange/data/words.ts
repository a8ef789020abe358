import type { VariableRole, VariableType } from '#core/dataset/table.ts'
import type { MissingCode } from '#core/form/definition/value.ts'
import type { Language } from '#core/language.ts'

import type { WriteNote } from './contract.ts'

/** What a person reads in files of data: the dictionary, the labels of missing reasons, the notes. */
export interface DataWords {
  readonly dictionary: string
  readonly columns: {
    readonly table: string
    readonly variable: string
    readonly label: string
    readonly type: string
    readonly unit: string
    readonly codes: string
    readonly role: string
  }
  readonly types: Readonly<Record<VariableType, string>>
  readonly roles: Readonly<Record<VariableRole, string>>
  readonly reasons: Readonly<Record<MissingCode, string>>
  readonly noteColumns: {
    readonly what: string
    readonly table: string
    readonly variable: string
    readonly row: string
    readonly count: string
    readonly text: string
  }
  readonly notes: Readonly<Record<WriteNote['kind'], string>>
}

const zh: DataWords = {
  dictionary: '数据字典',
  columns: {
    table: '数据表',
    variable: '变量名',
    label: '标签',
    type: '类型',
    unit: '单位',
    codes: '代码表',
    role: '用途',
  },
  types: { text: '文本', number: '数值', date: '日期', time: '时间', datetime: '日期时间' },
  roles: { key: '标识', about: '记录信息', item: '数据项', label: '代码含义', reason: '缺失原因' },
  reasons: { ND: '未做', UNK: '不详', NA: '不适用' },
  noteColumns: { what: '说明', table: '数据表', variable: '变量名', row: '行号', count: '数量', text: '内容' },
  notes: {
    'value-cut': '值过长，已截断；此处为完整原值',
    'value-not-of-type': '录入内容与变量类型不符，数据文件中可能无法作为该类型读取；此处为原值',
    'value-out-of-range': '值超出该格式的取值范围，数据文件中为空；此处为原值',
    'like-reason': '录入的文本与缺失代码相同，读取时可能被当作缺失',
    'reasons-not-written': '该格式不能区分缺失原因，这些单元格为空',
    'trailing-spaces': '文本末尾的空格在该格式中不保留',
    'line-breaks': '回车符已统一为换行符',
    'table-renamed': '数据表名已缩短为',
    'variable-renamed': '变量名已缩短为',
    'table-label-cut': '数据表标签过长，已截断；此处为完整标签',
    'label-cut': '变量标签过长，已截断；此处为完整标签',
    'code-label-cut': '代码含义过长，已截断；此处为代码及完整含义',
    'code-label-left-out': '该格式不能为此代码附加含义；此处为代码及含义',
    'labels-not-written': '该格式不能为此变量附加代码含义',
    'variable-left-out': '变量数超出该格式的上限，未写入此变量',
    'term-not-listed': '映射中没有此代码的提交值，已按代码写出',
    'second-value': '同一受试者有多个不同的值，已写出最先的一个；此处为其余的值',
    'field-not-in-data': '映射所指的字段不在导出的数据中，未写出',
    'visit-not-listed': '映射中没有此访视，VISITNUM 为空；此处为访视编码',
    'field-not-mapped': '映射未用到此字段，未写出',
    'rows-split': '行数超出上限，已拆分为多个部分',
  },
}

const en: DataWords = {
  dictionary: 'Dictionary',
  columns: {
    table: 'Table',
    variable: 'Variable',
    label: 'Label',
    type: 'Type',
    unit: 'Unit',
    codes: 'Codes',
    role: 'Role',
  },
  types: { text: 'Text', number: 'Number', date: 'Date', time: 'Time', datetime: 'Date and time' },
  roles: { key: 'Key', about: 'About the record', item: 'Item', label: 'Label of a code', reason: 'Missing reason' },
  reasons: { ND: 'Not done', UNK: 'Unknown', NA: 'Not applicable' },
  noteColumns: { what: 'Note', table: 'Table', variable: 'Variable', row: 'Row', count: 'Count', text: 'Content' },
  notes: {
    'value-cut': 'Value too long: cut in the data file. The full value is given here',
    'value-not-of-type':
      'Entered text does not match the type of its variable and may not be read as such. It is given here',
    'value-out-of-range': 'Value outside the range of this format: empty in the data file. It is given here',
    'like-reason': 'Entered text equals the code of a missing reason and may be read as missing',
    'reasons-not-written': 'This format cannot tell missing reasons apart: these cells are empty',
    'trailing-spaces': 'Spaces at the end of texts are not kept by this format',
    'line-breaks': 'Carriage returns were written as line feeds',
    'table-renamed': 'Table name shortened to',
    'variable-renamed': 'Variable name shortened to',
    'table-label-cut': 'Table label too long: cut. The full label is given here',
    'label-cut': 'Variable label too long: cut. The full label is given here',
    'code-label-cut': 'Label of a code too long: cut. The code and its full label are given here',
    'code-label-left-out': 'This format cannot label this code. The code and its label are given here',
    'labels-not-written': 'This format cannot label the codes of this variable',
    'variable-left-out': 'More variables than this format allows: this one was not written',
    'term-not-listed': 'The mapping has no submission value for this code: the code is written',
    'second-value': 'Several different values for one subject: the first is written. Another one is given here',
    'field-not-in-data': 'The mapping names a field that is not among the exported data: nothing is written',
    'visit-not-listed': 'The mapping does not have this visit: VISITNUM is empty. The code of the visit is given here',
    'field-not-mapped': 'The mapping does not use this field: it is not written',
    'rows-split': 'More rows than fit: split into several parts',
  },
}

/** The words of a language. */
export function dataWords(language: Language): DataWords {
  return language === 'zh' ? zh : en
}
