import type { Column, FieldExtension } from '#core/form/definition/column.ts'
import {
  check,
  checkbox,
  choices,
  date,
  files,
  longText,
  notInFuture,
  option,
  part,
  radio,
  requireField,
  select,
  text,
} from './columns.ts'
import type { Words } from './columns.ts'
import type { LibraryPage } from './libraryPage.ts'

const PULSES = choices(
  ['平', 'Normal'],
  ['浮', 'Floating'],
  ['沉', 'Deep'],
  ['迟', 'Slow'],
  ['数', 'Rapid'],
  ['虚', 'Feeble'],
  ['实', 'Replete'],
  ['弦', 'Wiry'],
  ['滑', 'Slippery'],
  ['涩', 'Choppy'],
  ['细', 'Thready'],
  ['洪', 'Surging'],
  ['紧', 'Tight'],
  ['濡', 'Soggy'],
  ['弱', 'Weak'],
  ['结', 'Knotted'],
  ['代', 'Intermittent'],
)

/** "Normal" excludes all other answers. */
function normalAlone(prop: string): FieldExtension {
  return {
    checks: [
      check(`${prop}Alone`, `"1" in page.${prop} && page.${prop}.size() > 1`, 'error', [
        '“正常”不能与其他选项同时选择。',
        '“Normal” cannot be chosen with another answer.',
      ]),
    ],
  }
}

function position(prop: string, words: Words): Column {
  return checkbox(prop, words, PULSES, { matrix: 'pulse', ...normalAlone(prop) })
}

/** The four examinations. Terms are those of GB/T 16751 and GB/T 40665; CDASH has no names for them. */
export const fourExaminations: LibraryPage = {
  id: 'lib-TCM',
  part: 'tcm',
  pageCode: 'TCM',
  name: { zh: '四诊信息', en: 'Four examinations' },
  about: {
    zh: '望、闻、问、切，含舌象照片与六部脉象',
    en: 'Inspection, listening and smelling, inquiry and palpation, with photographs of the tongue and the pulse at six positions',
  },
  repeatable: false,
  option: option(
    part(
      'occasion',
      ['采集', 'Occasion'],
      requireField(date('TCMDAT', ['采集日期', 'Date'], { checks: [notInFuture('TCMDAT')] })),
      text('TCMEVAL', ['采集医师', 'Examiner'], { identifier: true }),
    ),
    part(
      'inspection',
      ['望诊', 'Inspection'],
      requireField(
        radio(
          'TCMSPIRIT',
          ['神', 'Spirit'],
          choices(
            ['得神', 'Present'],
            ['少神', 'Lacking'],
            ['失神', 'Lost'],
            ['假神', 'False'],
            ['神乱', 'Disordered'],
          ),
        ),
      ),
      requireField(
        select(
          'TCMCOMPLEX',
          ['面色', 'Complexion'],
          choices(
            ['如常', 'Normal'],
            ['淡白', 'Pale'],
            ['萎黄', 'Sallow'],
            ['潮红', 'Flushed'],
            ['青紫', 'Cyanotic'],
            ['晦暗', 'Dusky'],
            ['黧黑', 'Darkish'],
          ),
        ),
      ),
      radio('TCMBUILD', ['形体', 'Build'], choices(['适中', 'Average'], ['肥胖', 'Obese'], ['消瘦', 'Thin'])),
      radio(
        'TCMLIPS',
        ['口唇', 'Lips'],
        choices(['淡红', 'Pale red'], ['淡白', 'Pale'], ['红', 'Red'], ['紫暗', 'Dark purple']),
      ),
    ),
    part(
      'tongue',
      ['舌诊', 'Tongue'],
      requireField(
        select(
          'TNGCOLOR',
          ['舌色', 'Colour of the tongue'],
          choices(
            ['淡红', 'Pale red'],
            ['淡白', 'Pale'],
            ['红', 'Red'],
            ['绛', 'Crimson'],
            ['紫', 'Purple'],
            ['青', 'Blue'],
          ),
        ),
      ),
      requireField(
        checkbox(
          'TNGBODY',
          ['舌形', 'Shape of the tongue'],
          choices(
            ['正常', 'Normal'],
            ['胖大', 'Enlarged'],
            ['瘦薄', 'Thin'],
            ['齿痕', 'Tooth-marked'],
            ['裂纹', 'Fissured'],
            ['点刺', 'Prickled'],
            ['瘀点瘀斑', 'Spots of stasis'],
          ),
          normalAlone('TNGBODY'),
        ),
      ),
      radio(
        'TNGSUBLING',
        ['舌下络脉', 'Sublingual veins'],
        choices(['正常', 'Normal'], ['迂曲', 'Tortuous'], ['增粗紫暗', 'Thick and dark purple']),
      ),
      requireField(
        select(
          'COATCOLOR',
          ['苔色', 'Colour of the coating'],
          choices(['白', 'White'], ['黄', 'Yellow'], ['灰黑', 'Grey or black']),
        ),
      ),
      requireField(
        checkbox(
          'COATQUAL',
          ['苔质', 'Quality of the coating'],
          choices(
            ['薄', 'Thin'],
            ['厚', 'Thick'],
            ['润', 'Moist'],
            ['燥', 'Dry'],
            ['腻', 'Slimy'],
            ['腐', 'Curdy'],
            ['剥落', 'Peeling'],
            ['无苔', 'None'],
          ),
          {
            checks: [
              check('COATQUALThick', '"1" in page.COATQUAL && "2" in page.COATQUAL', 'error', [
                '苔质不能既薄又厚。',
                'The coating cannot be both thin and thick.',
              ]),
              check('COATQUALMoist', '"3" in page.COATQUAL && "4" in page.COATQUAL', 'error', [
                '苔质不能既润又燥。',
                'The coating cannot be both moist and dry.',
              ]),
              check('COATQUALNone', '"8" in page.COATQUAL && page.COATQUAL.size() > 1', 'error', [
                '“无苔”不能与其他选项同时选择。',
                '“None” cannot be chosen with another answer.',
              ]),
            ],
          },
        ),
      ),
      files('TNGPHOTO', ['舌象照片', 'Photographs of the tongue']),
    ),
    part(
      'listening',
      ['闻诊', 'Listening and smelling'],
      radio(
        'TCMVOICE',
        ['语声', 'Voice'],
        choices(['如常', 'Normal'], ['低微', 'Faint'], ['高亢', 'Loud'], ['嘶哑', 'Hoarse']),
      ),
      radio('TCMBREATH', ['呼吸', 'Breathing'], choices(['平稳', 'Calm'], ['气短', 'Short'], ['气喘', 'Panting'])),
      radio('TCMCOUGH', ['咳嗽', 'Cough'], choices(['无', 'None'], ['干咳', 'Dry'], ['有痰', 'With phlegm'])),
      radio('TCMODOR', ['口气', 'Breath odour'], choices(['无', 'None'], ['口臭', 'Foul'], ['酸腐', 'Sour'])),
    ),
    part(
      'inquiry',
      ['问诊', 'Inquiry'],
      radio(
        'TCMCOLDHEAT',
        ['寒热', 'Cold and heat'],
        choices(
          ['无异常', 'Normal'],
          ['恶寒', 'Aversion to cold'],
          ['畏寒', 'Fear of cold'],
          ['发热', 'Fever'],
          ['潮热', 'Tidal fever'],
          ['五心烦热', 'Vexing heat of the five centres'],
        ),
      ),
      checkbox(
        'TCMSWEAT',
        ['汗', 'Sweating'],
        choices(
          ['正常', 'Normal'],
          ['无汗', 'None'],
          ['自汗', 'Spontaneous'],
          ['盗汗', 'At night'],
          ['动则汗出', 'On exertion'],
        ),
        normalAlone('TCMSWEAT'),
      ),
      radio(
        'TCMTHIRST',
        ['口渴', 'Thirst'],
        choices(
          ['不渴', 'None'],
          ['渴喜冷饮', 'With desire for cold drinks'],
          ['渴喜热饮', 'With desire for hot drinks'],
          ['渴不欲饮', 'Without desire to drink'],
        ),
      ),
      radio(
        'TCMAPPETITE',
        ['饮食', 'Appetite'],
        choices(['正常', 'Normal'], ['纳呆', 'Poor'], ['多食', 'Excessive'], ['厌食', 'Aversion to food']),
      ),
      radio(
        'TCMSLEEP',
        ['睡眠', 'Sleep'],
        choices(
          ['正常', 'Normal'],
          ['入睡困难', 'Hard to fall asleep'],
          ['多梦', 'Dreamful'],
          ['易醒', 'Easily woken'],
          ['嗜睡', 'Somnolent'],
        ),
      ),
      radio(
        'TCMSTOOL',
        ['大便', 'Stool'],
        choices(
          ['正常', 'Normal'],
          ['便秘', 'Constipated'],
          ['溏薄', 'Loose'],
          ['先干后稀', 'First dry then loose'],
          ['黏滞不爽', 'Sticky'],
        ),
      ),
      radio(
        'TCMURINE',
        ['小便', 'Urine'],
        choices(
          ['正常', 'Normal'],
          ['短赤', 'Scanty and dark'],
          ['清长', 'Clear and profuse'],
          ['频数', 'Frequent'],
          ['夜尿多', 'At night'],
        ),
      ),
    ),
    part(
      'palpation',
      ['切诊', 'Palpation'],
      position('PULSELCUN', ['左寸', 'Left cun']),
      position('PULSELGUAN', ['左关', 'Left guan']),
      position('PULSELCHI', ['左尺', 'Left chi']),
      position('PULSERCUN', ['右寸', 'Right cun']),
      position('PULSERGUAN', ['右关', 'Right guan']),
      position('PULSERCHI', ['右尺', 'Right chi']),
      requireField(
        checkbox('PULSEALL', ['总体脉象', 'Pulse as a whole'], PULSES, {
          checks: [
            ...(normalAlone('PULSEALL').checks ?? []),
            check('PULSEALLDepth', '"2" in page.PULSEALL && "3" in page.PULSEALL', 'error', [
              '脉象不能既浮又沉。',
              'The pulse cannot be both floating and deep.',
            ]),
            check('PULSEALLPace', '"4" in page.PULSEALL && "5" in page.PULSEALL', 'error', [
              '脉象不能既迟又数。',
              'The pulse cannot be both slow and rapid.',
            ]),
          ],
        }),
      ),
      longText('TCMCOMMENT', ['其他', 'Other findings']),
    ),
  ),
}
