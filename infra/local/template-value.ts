/** A value of a template, its intrinsics resolved. */
export type TemplateValue =
  | null
  | string
  | number
  | boolean
  | TemplateValue[]
  | { [key: string]: TemplateValue | undefined };
