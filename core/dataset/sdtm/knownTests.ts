/** Tests that fields are recognised as, by their code or their label: vital signs and the usual laboratory. */

export interface KnownTest {
  readonly domain: 'VS' | 'LB'
  readonly code: string
  /** CDISC's name of the test. */
  readonly name: string
  /** Codes of fields; without what stands before them in CDASH. */
  readonly codes: RegExp
  /** Labels of fields, in Chinese or English. */
  readonly labels: RegExp
}

function vital(code: string, name: string, codes: RegExp, labels: RegExp): KnownTest {
  return { domain: 'VS', code, name, codes: whole(codes), labels: whole(labels) }
}

function lab(code: string, name: string, labels: RegExp, codes: RegExp = new RegExp(code)): KnownTest {
  return { domain: 'LB', code, name, codes: whole(codes), labels: whole(labels) }
}

function whole({ source }: RegExp): RegExp {
  return new RegExp(`^(${source})$`, 'i')
}

export const knownTests: readonly KnownTest[] = [
  vital('SYSBP', 'Systolic Blood Pressure', /sysbp|sbp|systolic/, /收缩压|systolic( blood pressure)?/),
  vital('DIABP', 'Diastolic Blood Pressure', /diabp|dbp|diastolic/, /舒张压|diastolic( blood pressure)?/),
  vital('PULSE', 'Pulse Rate', /pulse|pulse_?rate/, /脉搏|脉率|pulse( rate)?/),
  vital('HR', 'Heart Rate', /hr|heart_?rate/, /心率|heart rate/),
  vital('RESP', 'Respiratory Rate', /resp|rr|respiration/, /呼吸(频率)?|respirat(ion|ory)( rate)?/),
  vital('TEMP', 'Temperature', /temp|temperature/, /体温|(body )?temperature/),
  vital('HEIGHT', 'Height', /height|ht/, /身高|height/),
  vital('WEIGHT', 'Weight', /weight|wt/, /体重|weight/),
  vital('BMI', 'Body Mass Index', /bmi/, /体重指数|体质(量)?指数|bmi|body mass index/),
  vital('OXYSAT', 'Oxygen Saturation', /oxysat|spo2/, /血氧饱和度|oxygen saturation/),
  vital('WSTCIR', 'Waist Circumference', /wstcir|waist/, /腰围|waist( circumference)?/),
  vital('HIPCIR', 'Hip Circumference', /hipcir|hip/, /臀围|hip( circumference)?/),
  lab('WBC', 'Leukocytes', /白细胞(计数)?|white blood cells?|leu[ck]ocytes/),
  lab('RBC', 'Erythrocytes', /红细胞(计数)?|red blood cells?|erythrocytes/),
  lab('HGB', 'Hemoglobin', /血红蛋白|ha?emoglobin/, /hgb|hb/),
  lab('HCT', 'Hematocrit', /红细胞(压积|比容)|ha?ematocrit/),
  lab('PLAT', 'Platelets', /血小板(计数)?|platelets?/, /plat|plt/),
  lab('NEUT', 'Neutrophils', /中性粒细胞(计数|绝对值)?|neutrophils?/),
  lab('NEUTLE', 'Neutrophils/Leukocytes', /中性粒细胞(百分比|比例)|neutrophils %/),
  lab('LYM', 'Lymphocytes', /淋巴细胞(计数|绝对值)?|lymphocytes?/),
  lab('LYMLE', 'Lymphocytes/Leukocytes', /淋巴细胞(百分比|比例)|lymphocytes %/),
  lab(
    'ALT',
    'Alanine Aminotransferase',
    /(丙氨酸氨基转移酶|谷丙转氨酶)(（ALT）|\(ALT\))?|alanine aminotransferase|alt/,
  ),
  lab(
    'AST',
    'Aspartate Aminotransferase',
    /(天门冬氨酸氨基转移酶|谷草转氨酶)(（AST）|\(AST\))?|aspartate aminotransferase|ast/,
  ),
  lab('GGT', 'Gamma Glutamyl Transferase', /[γr]-?谷氨酰(转移|转肽)酶|gamma glutamyl transferase/),
  lab('ALP', 'Alkaline Phosphatase', /碱性磷酸酶|alkaline phosphatase/),
  lab('BILI', 'Bilirubin', /总胆红素|(total )?bilirubin/, /bili|tbil/),
  lab('BILDIR', 'Direct Bilirubin', /直接胆红素|direct bilirubin/, /bildir|dbil/),
  lab('PROT', 'Protein', /总蛋白|(total )?protein/, /prot|tp/),
  lab('ALB', 'Albumin', /白蛋白|albumin/),
  lab('CREAT', 'Creatinine', /(血)?肌酐|creatinine/, /creat|cr|scr/),
  lab('UREAN', 'Urea Nitrogen', /(血)?尿素氮|(blood )?urea nitrogen/, /urean|bun/),
  lab('UREA', 'Urea', /尿素|urea/),
  lab('URATE', 'Urate', /(血)?尿酸|uric acid|urate/, /urate|ua/),
  lab('GLUC', 'Glucose', /(空腹)?(血糖|葡萄糖)|glucose/, /gluc|glu/),
  lab('HBA1C', 'Hemoglobin A1C', /糖化血红蛋白|hba1c/),
  lab('CHOL', 'Cholesterol', /总胆固醇|(total )?cholesterol/, /chol|tc/),
  lab('TRIG', 'Triglycerides', /甘油三酯|triglycerides?/, /trig|tg/),
  lab('HDL', 'HDL Cholesterol', /高密度脂蛋白(胆固醇)?|hdl( cholesterol)?/),
  lab('LDL', 'LDL Cholesterol', /低密度脂蛋白(胆固醇)?|ldl( cholesterol)?/),
  lab('SODIUM', 'Sodium', /(血)?钠|sodium/, /sodium|na/),
  lab('K', 'Potassium', /(血)?钾|potassium/),
  lab('CL', 'Chloride', /(血)?氯|chloride/),
  lab('CA', 'Calcium', /(血)?钙|calcium/),
  lab('CK', 'Creatine Kinase', /肌酸激酶|creatine kinase/),
  lab('CRP', 'C Reactive Protein', /C ?反应蛋白|c.reactive protein/),
]

/** Units as CDISC writes them. */
const UNITS: Readonly<Record<string, string>> = {
  '℃': 'C',
  '°C': 'C',
  bpm: 'beats/min',
  '次/分': 'beats/min',
  '次/min': 'beats/min',
  'kg/m²': 'kg/m2',
  'kg/m^2': 'kg/m2',
  '×10^9/L': '10^9/L',
  '×10^12/L': '10^12/L',
  'μmol/L': 'umol/L',
  'µmol/L': 'umol/L',
  厘米: 'cm',
  公斤: 'kg',
  千克: 'kg',
}

/** A unit of a field as SDTM has it; breaths are counted in the same unit as beats. */
export function submissionUnit(unit: string, test: string): string {
  if (test === 'RESP' && /^(次\/(分|min)|\/min|bpm)$/.test(unit)) return 'breaths/min'
  const plain = unit.replace(/10(⁹|¹²)/, (_, power: string) => (power === '⁹' ? '10^9' : '10^12'))
  return Object.hasOwn(UNITS, plain) ? (UNITS[plain] ?? plain) : plain
}
