import {
  check,
  choice,
  choices,
  date,
  notInFuture,
  number,
  option,
  part,
  requireField,
  select,
  text,
  radio,
  yesNo,
} from './columns.ts'
import type { LibraryPage } from './libraryPage.ts'

/** Demographics (CDASH DM), with what Chinese studies ask besides. */
export const demographics: LibraryPage = {
  id: 'lib-DM',
  part: 'general',
  pageCode: 'DM',
  name: { zh: '人口学资料', en: 'Demographics' },
  about: {
    zh: '知情同意、出生日期、性别、民族与文化程度',
    en: 'Informed consent, date of birth, sex, ethnic group and education',
  },
  repeatable: false,
  option: option(
    part(
      'consent',
      ['知情同意', 'Informed consent'],
      requireField(
        date('RFICDAT', ['签署知情同意书日期', 'Date of informed consent'], { checks: [notInFuture('RFICDAT')] }),
      ),
      text('ICFVER', ['知情同意书版本', 'Version of the consent form']),
    ),
    part(
      'person',
      ['基本情况', 'The subject'],
      requireField(
        date('BRTHDAT', ['出生日期', 'Date of birth'], {
          identifier: true,
          partial: 'year',
          checks: [notInFuture('BRTHDAT')],
        }),
      ),
      number('AGE', ['签署时年龄（岁）', 'Age at consent (years)'], '', {
        calculate: 'age(page.BRTHDAT, page.RFICDAT)',
        possible: [0, 120],
      }),
      requireField(radio('SEX', ['性别', 'Sex'], [choice('M', ['男', 'Male']), choice('F', ['女', 'Female'])])),
      yesNo('CHILDPOT', ['是否有生育能力', 'Of childbearing potential'], { show: 'page.SEX == "F"' }),
      select(
        'ETHGRP',
        ['民族', 'Ethnic group'],
        choices(
          ['汉族', 'Han'],
          ['蒙古族', 'Mongol'],
          ['回族', 'Hui'],
          ['藏族', 'Tibetan'],
          ['维吾尔族', 'Uyghur'],
          ['苗族', 'Miao'],
          ['彝族', 'Yi'],
          ['壮族', 'Zhuang'],
          ['满族', 'Manchu'],
          ['其他', 'Other'],
        ),
      ),
      requireField(text('ETHGRPOTH', ['其他民族', 'Other ethnic group'], { show: 'page.ETHGRP == "10"' })),
      select(
        'EDLEVEL',
        ['文化程度', 'Education'],
        choices(
          ['小学及以下', 'Primary school or less'],
          ['初中', 'Lower secondary school'],
          ['高中或中专', 'Upper secondary or vocational school'],
          ['大专', 'College'],
          ['本科及以上', 'University degree'],
        ),
      ),
      select(
        'MARISTAT',
        ['婚姻状况', 'Marital status'],
        choices(['未婚', 'Never married'], ['已婚', 'Married'], ['离异', 'Divorced'], ['丧偶', 'Widowed']),
      ),
      radio(
        'OCCUP',
        ['职业性质', 'Kind of work'],
        choices(['脑力劳动', 'Mental'], ['体力劳动', 'Manual'], ['离退休', 'Retired'], ['其他', 'Other']),
      ),
    ),
    part(
      'habits',
      ['烟酒史', 'Tobacco and alcohol'],
      radio('SUSMOKE', ['吸烟', 'Smoking'], choices(['从不', 'Never'], ['已戒', 'Former'], ['现在', 'Current'])),
      number('SUSMOKEDOSE', ['每日吸烟（支）', 'Cigarettes a day'], '', {
        show: 'page.SUSMOKE == "3"',
        possible: [0, 200],
        precision: 0,
      }),
      radio(
        'SUALCO',
        ['饮酒', 'Alcohol'],
        choices(['从不', 'Never'], ['已戒', 'Former'], ['偶尔', 'Occasional'], ['经常', 'Regular']),
        {
          checks: [
            check('SUALCOYouth', 'page.AGE < 18.0 && page.SUALCO == "4"', 'warning', [
              '未成年受试者经常饮酒，请核对。',
              'Regular alcohol in a minor; please verify.',
            ]),
          ],
        },
      ),
    ),
  ),
}
