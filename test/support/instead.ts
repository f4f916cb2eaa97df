/** The same object but for some members; its methods keep their own `this`. */
export function instead<T extends object>(of: T, change: Partial<T>): T {
  return new Proxy(of, {
    get(_, asked) {
      if (Object.hasOwn(change, asked)) return change[asked as keyof T];
      const found: unknown = Reflect.get(of, asked, of);
      return typeof found === 'function' ? found.bind(of) : found;
    },
  });
}
