/** Texts of cli: what is wrong, where, and what would be right. `zh` carries the same {names} as `en`. */
export const CLI = {
  'cli.file_missing': {
    en: 'The file {file} does not exist; check the path.',
    zh: '文件 {file} 不存在；请检查路径。',
  },
} as const;
