import type { Language } from '#core/language.ts'
import type { Issue } from '#core/form/engine/issue.ts'

/** The errors and warnings of a page's rules in words, for front ends that do not run the rules themselves. */
export function issueText(issue: Issue, language: Language): string {
  if (issue.code === 'check') return language === 'en' ? (issue.message.en ?? issue.message.zh) : issue.message.zh
  return texts[language](issue)
}

type PlainIssue = Exclude<Issue, { readonly code: 'check' }>

const texts: Readonly<Record<Language, (issue: PlainIssue) => string>> = {
  zh: (issue) => {
    switch (issue.code) {
      case 'required':
        return '此项必填'
      case 'not-number':
        return '请输入数字'
      case 'too-many-digits':
        return '数字的位数太多，无法准确保存'
      case 'not-integer':
        return '请输入整数'
      case 'too-precise':
        return `最多 ${issue.digits} 位小数`
      case 'not-date':
        return '请输入正确的日期'
      case 'not-time':
        return '请输入正确的时间'
      case 'not-datetime':
        return '请输入正确的日期和时间'
      case 'not-date-or-month':
        return '请输入正确的日期，日不详时可只填年月'
      case 'not-date-or-year':
        return '请输入正确的日期，月日不详时可只填年或年月'
      case 'not-year':
        return '请输入正确的年份'
      case 'not-month':
        return '请输入正确的月份'
      case 'not-week':
        return '请输入正确的周'
      case 'not-url':
        return '请输入以 http:// 或 https:// 开头的网址'
      case 'incomplete-range':
        return '两端都需填写'
      case 'below':
        return `不能小于 ${issue.min}`
      case 'above':
        return `不能大于 ${issue.max}`
      case 'implausible-low':
        return `低于合理范围（不低于 ${issue.min}），请核对`
      case 'implausible-high':
        return `高于合理范围（不高于 ${issue.max}），请核对`
      case 'too-long':
        return `最多 ${issue.max} 个字符`
      case 'not-choice':
        return `“${issue.value}”不在选项中`
      case 'not-offered':
        return `“${issue.value}”与上一级的选择不符`
      case 'no-record':
        return `${issue.id} 数据不存在或已损坏!`
      case 'not-unique':
        return '与已有记录重复'
      case 'not-phone':
        return '请输入正确的电话号码'
      case 'not-email':
        return '请输入正确的邮箱地址'
      case 'not-letters':
        return '只能输入字母'
      case 'not-postcode':
        return '请输入正确的邮政编码'
      case 'range-order':
        return '结束不能早于开始'
    }
  },
  en: (issue) => {
    switch (issue.code) {
      case 'required':
        return 'This item is required'
      case 'not-number':
        return 'Enter a number'
      case 'too-many-digits':
        return 'More digits than can be kept exactly'
      case 'not-integer':
        return 'Enter a whole number'
      case 'too-precise':
        return `At most ${issue.digits} decimals`
      case 'not-date':
        return 'Enter a valid date'
      case 'not-time':
        return 'Enter a valid time'
      case 'not-datetime':
        return 'Enter a valid date and time'
      case 'not-date-or-month':
        return 'Enter a valid date, or year and month if the day is unknown'
      case 'not-date-or-year':
        return 'Enter a valid date, or what is known of it: year, or year and month'
      case 'not-year':
        return 'Enter a valid year'
      case 'not-month':
        return 'Enter a valid month'
      case 'not-week':
        return 'Enter a valid week'
      case 'not-url':
        return 'Enter web addresses that begin with http:// or https://'
      case 'incomplete-range':
        return 'Fill in both ends'
      case 'below':
        return `Must not be less than ${issue.min}`
      case 'above':
        return `Must not be more than ${issue.max}`
      case 'implausible-low':
        return `Below the expected range (at least ${issue.min}); please verify`
      case 'implausible-high':
        return `Above the expected range (at most ${issue.max}); please verify`
      case 'too-long':
        return `At most ${issue.max} characters`
      case 'not-choice':
        return `"${issue.value}" is not one of the choices`
      case 'not-offered':
        return `"${issue.value}" does not go with the choice above it`
      case 'no-record':
        return `${issue.id} data does not exist or is damaged!`
      case 'not-unique':
        return 'This value is already used elsewhere'
      case 'not-phone':
        return 'Enter a valid phone number'
      case 'not-email':
        return 'Enter a valid e-mail address'
      case 'not-letters':
        return 'Letters only'
      case 'not-postcode':
        return 'Enter a valid postcode'
      case 'range-order':
        return 'The end must not be before the start'
    }
  },
}
