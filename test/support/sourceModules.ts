import { posix } from 'node:path';
import ts from 'typescript';
import { filesUnder, readProjectFile, SOURCE_FOLDERS } from './project';

/** A source file with what it imports and exports. */
export interface SourceModule {
  readonly path: string;
  readonly source: ts.SourceFile;
  readonly imports: readonly ModuleImport[];
}

/** One import of a module, or a re-export from it. */
export interface ModuleImport {
  readonly specifier: string;
  /** The file of the project it means; undefined for a package. */
  readonly path: string | undefined;
  /** Whether it is gone at run time. */
  readonly typeOnly: boolean;
  /** The names it takes, as the other module calls them. */
  readonly names: readonly string[];
}

/** Every source file of the library and the programs beside it. */
export function sourceModules(): SourceModule[] {
  const paths = SOURCE_FOLDERS.flatMap(filesUnder);
  const known = new Set(paths);
  return paths.map((path) => {
    const source = ts.createSourceFile(path, readProjectFile(path), ts.ScriptTarget.Latest, true);
    return { path, source, imports: importsOf(source, known) };
  });
}

/** Calls `visit` on every node of a file. */
export function forEachNode(source: ts.SourceFile, visit: (node: ts.Node) => void): void {
  function walk(node: ts.Node): void {
    visit(node);
    ts.forEachChild(node, walk);
  }
  walk(source);
}

function importsOf(source: ts.SourceFile, known: ReadonlySet<string>): ModuleImport[] {
  const imports: ModuleImport[] = [];
  function add(specifier: ts.Node | undefined, typeOnly: boolean, names: readonly string[]): void {
    if (!specifier || !ts.isStringLiteral(specifier)) return;
    imports.push({ specifier: specifier.text, path: fileOf(source.fileName, specifier.text, known), typeOnly, names });
  }
  forEachNode(source, (node) => {
    if (ts.isImportDeclaration(node)) {
      const clause = node.importClause;
      const bindings = clause?.namedBindings;
      const names = bindings && ts.isNamedImports(bindings) ? bindings.elements.map(originalName) : [];
      add(node.moduleSpecifier, clause?.phaseModifier === ts.SyntaxKind.TypeKeyword, names);
    } else if (ts.isExportDeclaration(node)) {
      const names = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : [];
      add(node.moduleSpecifier, node.isTypeOnly, names.map(originalName));
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      add(node.arguments[0], false, []);
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      add(node.argument.literal, true, []);
    }
  });
  return imports;
}

function originalName({ propertyName, name }: ts.ImportSpecifier | ts.ExportSpecifier): string {
  return (propertyName ?? name).text;
}

function fileOf(importer: string, specifier: string, known: ReadonlySet<string>): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = posix.join(posix.dirname(importer), specifier);
  const file = [`${path}.ts`, `${path}/index.ts`].find((candidate) => known.has(candidate));
  if (file === undefined) throw new Error(`${importer} imports ${specifier}, which is no file of the library`);
  return file;
}

/** What a file declares for others that exists at run time; re-exports are left out. */
export interface DeclaredValue {
  readonly name: string;
  readonly kind: ts.SyntaxKind;
}

export function declaredValues({ source }: SourceModule): DeclaredValue[] {
  return source.statements.flatMap((statement): DeclaredValue[] => {
    if (!isExported(statement)) return [];
    if (ts.isFunctionDeclaration(statement) && !statement.body) return []; // an overload of what follows
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) {
      return [{ name: statement.name?.text ?? 'default', kind: statement.kind }];
    }
    if (!ts.isVariableStatement(statement)) return [];
    return statement.declarationList.declarations.map(({ name, kind }) => ({ name: name.getText(), kind }));
  });
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}
