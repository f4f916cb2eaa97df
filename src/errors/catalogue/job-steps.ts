/** Texts of job: steps, and what one takes from another. `zh` carries the same {names} as `en`. */
export const JOB_STEPS = {
  'job.no_steps': {
    en: '{where}: "{key}" is {value}; a job of steps has at least one',
    zh: '{where}：“{key}”为 {value}；分步任务至少要有一个步骤',
  },
  'job.bad_step_name': {
    en: '{where}: "{key}" is {value}; a step is named by letters, digits, \'-\' and \'_\', 60 at most, as columns of the result and "from" use the name',
    zh: '{where}：“{key}”为 {value}；步骤名称只能由字母、数字、“-”和“_”组成，最多 60 个字符，因为结果列和“from”会用到它',
  },
  'job.step_twice': {
    en: '{where}: there is a step "{step}" in line {line} already, as case and width do not count; give this one another name',
    zh: '{where}：第 {line} 行已有名为“{step}”的步骤（不区分大小写和全半角）；请另取一个名称',
  },
  'job.step_unknown': {
    en: '{where}: there is no step "{step}" before this one. Earlier steps: {known}',
    zh: '{where}：此步骤之前没有步骤“{step}”。之前的步骤：{known}',
  },
  'job.step_unknown_nearest': {
    en: '{where}: there is no step "{step}" before this one; did you mean "{near}"? Earlier steps: {known}',
    zh: '{where}：此步骤之前没有步骤“{step}”；是否指“{near}”？之前的步骤：{known}',
  },
  'job.step_later': {
    en: '{where}: the step "{step}" comes later, so nothing can be taken from it here; move it up',
    zh: '{where}：步骤“{step}”在后面，此处无法取用其结果；请将其移到前面',
  },
  'job.step_itself': {
    en: '{where}: this is the step "{step}" itself, which has returned nothing yet; take from an earlier one',
    zh: '{where}：这就是步骤“{step}”本身，尚无结果；请取用之前步骤的结果',
  },
  'job.step_whole': {
    en: '{where}: name one of its results, as in step["{step}"]["FIELD"]; a step as a whole cannot be read',
    zh: '{where}：请指明具体的结果，例如 step["{step}"]["字段"]；不能读取整个步骤',
  },
  'job.step_returns_no': {
    en: '{where}: the step "{step}" ({operation}) returns no "{field}". It returns: {known}',
    zh: '{where}：步骤“{step}”（{operation}）不返回“{field}”。它返回：{known}',
  },
  'job.step_returns_no_nearest': {
    en: '{where}: the step "{step}" ({operation}) returns no "{field}"; did you mean "{near}"? It returns: {known}',
    zh: '{where}：步骤“{step}”（{operation}）不返回“{field}”；是否指“{near}”？它返回：{known}',
  },
  'job.bad_from': {
    en: '{where}: "from" is {value}; it must name an earlier step and a result of it, such as customer.customerId',
    zh: '{where}：“from”为 {value}；应写成“步骤.结果”，例如 customer.customerId',
  },
  'job.from_without_steps': {
    en: '{where}: "from" takes the result of an earlier step and works only in the maps of "steps"; name a column',
    zh: '{where}：“from”取用之前步骤的结果，只能用于“steps”中的映射；请写列名',
  },
  'job.from_in_other_sheet': {
    en: '{where}: "{from}" cannot be taken here: these are the rows of another sheet ("each"), and steps have results for the rows of the job\'s own sheet',
    zh: '{where}：此处不能取用“{from}”：这里是另一工作表的行（“each”），而步骤的结果属于任务自身工作表的行',
  },
  'job.from_records': {
    en: '{where}: "{from}" is a list, with a value of each record, but "{field}" takes one value; take it into a field that takes several, or see to it that one record comes',
    zh: '{where}：“{from}”是列表（每条记录一个值），而“{field}”只接受单个值；请用于可含多个值的字段，或确保只返回一条记录',
  },
  'job.from_type': {
    en: '{where}: "{from}" ({returned}) cannot fill "{field}" ({type})',
    zh: '{where}：“{from}”（{returned}）不能用于字段“{field}”（{type}）',
  },
} as const;
