import { projectListUrl } from '#core/form/definition/projectLists.ts'
import {
  check,
  checkbox,
  choices,
  computeField,
  date,
  group,
  longText,
  number,
  page,
  radio,
  requireField,
  select,
  table,
  text,
  yesNo,
} from '#server/demo/study/columns.ts'
import { SYNDROMES } from '#server/demo/registry/study/formulas.ts'
import { HERB_DICTIONARY } from '#server/demo/registry/study/herbs.ts'

/** Pages of the registry that are filled in at the first visit and at return visits. */

export const basics = page(
  'DM',
  ['知情同意与基本信息', 'Consent and basic data'],
  [
    group(
      'consent',
      ['知情同意', 'Informed consent'],
      requireField(date('icf_date', ['签署知情同意书日期', 'Date of informed consent'])),
    ),
    group(
      'person',
      ['基本信息', 'Basic data'],
      requireField(date('birth', ['出生日期', 'Date of birth'], { zl: { identifier: true } })),
      computeField('age', ['年龄', 'Age'], ['岁', 'years'], 'age(page.birth, page.icf_date)', {
        checks: [
          check('age', 'page.age < 18.0 || page.age > 75.0', 'query', [
            '登记对象年龄应为 18～75 岁。',
            'Participants should be 18 to 75.',
          ]),
        ],
      }),
      requireField(radio('sex', ['性别', 'Sex'], choices(['男', 'Male'], ['女', 'Female']))),
      select(
        'occupation',
        ['职业', 'Occupation'],
        choices(
          ['在职（脑力劳动为主）', 'Employed, mainly mental work'],
          ['在职（体力劳动为主）', 'Employed, mainly manual work'],
          ['学生', 'Student'],
          ['离退休', 'Retired'],
          ['其他', 'Other'],
        ),
      ),
      yesNo('night_shift', ['是否轮值夜班', 'Works night shifts']),
      text('phone', ['联系电话', 'Phone'], { zl: { identifier: true, validation: 'phone' } }),
    ),
  ],
)

export const diagnosis = page(
  'DX',
  ['诊断与病史', 'Diagnosis and history'],
  [
    group(
      'insomnia',
      ['不寐（失眠）', 'Insomnia'],
      requireField(
        radio(
          'dx',
          ['西医诊断', 'Diagnosis'],
          choices(['慢性失眠障碍', 'Chronic insomnia disorder'], ['短期失眠障碍', 'Short-term insomnia disorder']),
          { zl: { note: '按 ICSD-3 标准', noteEn: 'According to ICSD-3' } },
        ),
      ),
      requireField(
        number('months', ['病程', 'Duration'], ['月', 'months'], { possible: [0, 720], usual: [1, 480], precision: 0 }),
      ),
      checkbox(
        'complaints',
        ['主要表现', 'Complaints'],
        choices(
          ['入睡困难', 'Trouble falling asleep'],
          ['睡后易醒', 'Easily woken'],
          ['早醒', 'Early waking'],
          ['多梦', 'Profuse dreaming'],
          ['彻夜不眠', 'Sleepless all night'],
        ),
      ),
      checkbox(
        'causes',
        ['诱因', 'Precipitating factors'],
        choices(
          ['情志失调', 'Emotional upset'],
          ['劳倦思虑过度', 'Overwork and worry'],
          ['饮食不节', 'Dietary irregularity'],
          ['病后或年迈体虚', 'Weakness after illness or in old age'],
          ['无明显诱因', 'None apparent'],
        ),
      ),
    ),
    group(
      'treated',
      ['既往治疗', 'Previous treatment'],
      requireField(yesNo('sedatives', ['近 4 周是否使用镇静催眠药', 'Sedatives or hypnotics within four weeks'])),
      requireField(
        select(
          'sedative',
          ['镇静催眠药', 'Sedative or hypnotic'],
          choices(
            ['佐匹克隆', 'Zopiclone'],
            ['右佐匹克隆', 'Eszopiclone'],
            ['酒石酸唑吡坦', 'Zolpidem tartrate'],
            ['阿普唑仑', 'Alprazolam'],
            ['其他', 'Other'],
          ),
          { zl: { show: 'page.sedatives == "1"' } },
        ),
      ),
      yesNo('tcm_before', ['是否服用过中药汤剂', 'Decoctions taken before']),
      checkbox(
        'comorbid',
        ['合并疾病', 'Other diseases'],
        choices(
          ['无', 'None'],
          ['高血压', 'Hypertension'],
          ['2 型糖尿病', 'Type 2 diabetes'],
          ['焦虑状态', 'Anxiety'],
          ['抑郁状态', 'Depression'],
          ['围绝经期综合征', 'Perimenopausal syndrome'],
        ),
        {
          zl: {
            checks: [
              check('comorbid', '"1" in page.comorbid && page.comorbid.size() > 1', 'error', [
                '“无”不能与其他选项同时选择。',
                '“None” cannot be chosen with another answer.',
              ]),
            ],
          },
        },
      ),
    ),
  ],
)

export const syndrome = page(
  'SYN',
  ['辨证论治', 'Syndrome and treatment principle'],
  [
    group(
      'syndrome',
      ['辨证', 'Syndrome differentiation'],
      requireField(
        radio('pattern', ['主要证型', 'Main syndrome'], choices(...SYNDROMES.map(({ zh, en }) => [zh, en] as const))),
      ),
      checkbox(
        'with',
        ['兼夹', 'Accompanied by'],
        choices(
          ['无', 'None'],
          ['夹湿', 'Dampness'],
          ['夹痰', 'Phlegm'],
          ['夹瘀', 'Stasis'],
          ['夹郁', 'Constraint'],
          ['夹食', 'Food retention'],
        ),
      ),
      requireField(
        radio('principle', ['治法', 'Treatment principle'], choices(...SYNDROMES.map(({ principle }) => principle)), {
          zl: {
            checks: [
              check('principle', 'page.principle != page.pattern', 'warning', [
                '治法与主要证型不对应，请核对。',
                'The principle does not belong to the main syndrome; please verify.',
              ]),
            ],
          },
        }),
      ),
      text('physician', ['辨证医师', 'Physician'], { zl: { identifier: true } }),
    ),
  ],
)

const DECOCTIONS = choices(
  ['常规煎煮', 'With the rest'],
  ['先煎', 'First'],
  ['后下', 'Added late'],
  ['包煎', 'Wrapped'],
  ['另煎', 'Separately'],
  ['烊化', 'Melted in'],
  ['冲服', 'Stirred in'],
)

export const prescription = page(
  'RX',
  ['中药处方', 'Prescription'],
  [
    group(
      'formula',
      ['方剂', 'Formula'],
      requireField(date('rx_date', ['处方日期', 'Date of the prescription'])),
      requireField(select('formula', ['基本方', 'Base formula'], choices(...SYNDROMES.map(({ formula }) => formula)))),
      longText('changes', ['加减说明', 'Modifications']),
      table(
        'herbs',
        ['药味', 'Herbs'],
        [
          requireField({
            ...select('herb', ['药名', 'Herb'], []),
            dicUrl: projectListUrl(HERB_DICTIONARY),
          }),
          requireField(number('grams', ['剂量', 'Dose'], 'g', { possible: [0.1, 200], usual: [1, 60], precision: 1 })),
          requireField(select('decoction', ['煎法', 'Decocted'], DECOCTIONS, { value: '1' })),
        ],
        { zl: { rowKey: ['herb'] } },
      ),
    ),
    group(
      'taking',
      ['煎服法', 'Preparation and use'],
      requireField(
        number('packets', ['剂数', 'Packets'], ['剂', 'packets'], { possible: [1, 90], usual: [3, 30], precision: 0 }),
      ),
      requireField(
        radio(
          'taken',
          ['服法', 'Taken'],
          choices(
            ['每日 1 剂，早晚分服', 'One packet a day, morning and evening'],
            ['每日 1 剂，午后与睡前分服', 'One packet a day, afternoon and bedtime'],
            ['隔日 1 剂', 'One packet every other day'],
          ),
        ),
      ),
      radio(
        'made_by',
        ['煎煮', 'Decocted by'],
        choices(['代煎', 'The pharmacy'], ['自煎', 'The patient'], ['配方颗粒', 'Dispensing granules']),
      ),
    ),
  ],
)
